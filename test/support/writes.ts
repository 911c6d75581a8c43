import type { Cluster } from "./cluster";
import { probeDuring, type Probed } from "./probe";

export interface Written extends Probed {
  /** Acknowledged writes that are not there at the end. */
  readonly lostWrites: readonly string[];
}

/** Writes to the API one object after the other while `work` goes on. @returns what it returns, and what was found */
export async function writeDuring<T>(cluster: Cluster, work: () => Promise<T>): Promise<[T, Written]> {
  const acknowledged: string[] = [];
  const write = async (n: number): Promise<boolean> => {
    const name = `probe-${n}`;
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { probe: "true" } } };
    const { status } = await cluster.tryKubectl(
      ["create", "--validate=false", "--request-timeout=5s", "-f", "-"],
      JSON.stringify(map),
    );
    if (status === 0) acknowledged.push(name);
    return status === 0;
  };
  const [result, probed] = await probeDuring(write, work);
  const maps = await cluster.list<{ metadata: { name: string } }>("configmaps", "-l", "probe=true");
  const names = maps.map(({ metadata }) => metadata.name);
  await cluster.kubectl(["delete", "configmaps", "-l", "probe=true"]);
  return [result, { ...probed, lostWrites: acknowledged.filter((name) => !names.includes(name)) }];
}
