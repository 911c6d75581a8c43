import { readFileSync } from "node:fs";
import { apiAccess } from "../../components/kube/access/api-access";
import type { Cluster } from "./cluster";
import { until } from "./until";
import { answerOf, isSuccess, probeDuring, type Probed, type Target } from "./probe";

export interface Written extends Probed {
  /** Acknowledged writes that are missing at the end. */
  readonly lostWrites: readonly string[];
}

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";

/**
 * Creates one object after another while `work` runs, each over a new connection.
 * @returns the result of `work`, and that of the writes
 */
export async function writeDuring<T>(cluster: Cluster, work: () => Promise<T>): Promise<[T, Written]> {
  const [[result], written] = await writeAndProbeDuring(cluster, {}, work);
  return [result, written];
}

/** Combines writeDuring and probeDuring. @param everyMs time between the starts of two writes */
export async function writeAndProbeDuring<T, K extends string>(
  cluster: Cluster,
  targets: Readonly<Record<K, Target>>,
  work: () => Promise<T>,
  everyMs = 500,
): Promise<[[T, Readonly<Record<K, Probed>>], Written]> {
  const post = posting(cluster);
  const acknowledged: string[] = [];
  const request = async (n: number): Promise<boolean> => {
    const name = `probe-${n}`;
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { probe: "true" } } };
    const isDone = await post(JSON.stringify(map));
    if (isDone) acknowledged.push(name);
    return isDone;
  };
  const [result, { writes }] = await probeDuring({ writes: { everyMs, request } }, () =>
    probeDuring(targets, work),
  );
  const maps = await cluster.list<{ metadata: { name: string } }>("configmaps", "-l", "probe=true");
  const names = new Set(maps.map(({ metadata }) => metadata.name));
  const all = ["delete", "--raw", `${CONFIGMAPS}?labelSelector=probe%3Dtrue`];
  // a request ends after a minute, in which a busy API server may not delete all of them
  await until(300, "the ConfigMaps to go", async () => (await cluster.tryKubectl(all)).status === 0);
  return [result, { ...writes, lostWrites: acknowledged.filter((name) => !names.has(name)) }];
}

/** Returns a function that creates an object, as the kubeconfig's user. @returns true if the API acknowledged it */
function posting({ kubeconfig }: Cluster): (object: string) => Promise<boolean> {
  const { cluster, user } = apiAccess(readFileSync(kubeconfig, "utf8"));
  const decoded = (data: unknown) => (typeof data === "string" ? Buffer.from(data, "base64") : undefined);
  const { token } = user;
  const options = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(typeof token === "string" && { authorization: `Bearer ${token}` }),
    },
    ca: decoded(cluster["certificate-authority-data"]),
    cert: decoded(user["client-certificate-data"]),
    key: decoded(user["client-key-data"]),
    rejectUnauthorized: true,
  };
  return async (object) => isSuccess(await answerOf(String(cluster["server"]) + CONFIGMAPS, options, object));
}
