import { apiAccess } from "../kube/access/api-access";
import { at, items, text } from "../kube/objects/object";
import type { ApiKind } from "../plan/workload/cnf-definitions";
import { foreignObjects, type Holders, type Own } from "../kube/client/foreign-objects";
import { KubeApi } from "../kube/client/kube-api";
import { resourcesOf } from "../kube/client/read";
import { OWNER } from "../deploy/objects/ownership";

/** How long a cluster may take to answer a question, in milliseconds: a preview goes on without it. */
const PATIENCE_MS = 10_000;

/** The same for all objects of some kinds or Namespaces, which a run would delete. */
const LISTS_MS = 60_000;

/**
 * The version of Kubernetes that a cluster says it has, such as `v1.33.0` or `v1.33.0-eks-1a2b3c`: as Helm gets it when
 * it installs a chart there. Undefined where the cluster does not answer, or with no version.
 */
export async function askVersion(kubeconfig: string): Promise<string | undefined> {
  const version: unknown = await asked(kubeconfig)
    .get("/version")
    .catch(() => undefined);
  return /^v1\.\d+\.\d+[-+.\w]*$/.exec(text(at(version, "gitVersion")) ?? "")?.[0];
}

/** Those of some kinds of objects that a cluster has. Undefined where it does not answer. */
export async function askKinds(
  kubeconfig: string,
  kinds: readonly ApiKind[],
): Promise<readonly ApiKind[] | undefined> {
  const api = asked(kubeconfig);
  const versions = [...new Set(kinds.map(({ apiVersion }) => apiVersion))];
  try {
    const served = await Promise.all(
      versions.map(async (version) => [version, await kindsOf(api, version)] as const),
    );
    const known = new Map(served);
    return kinds.filter(({ apiVersion, kind }) => known.get(apiVersion)?.has(kind));
  } catch {
    return undefined;
  }
}

/** A PersistentVolume that a claim holds. */
export interface HeldVolume {
  readonly name: string;
  /** As `<namespace>/<name>`. */
  readonly claim: string;
  /** The NFS server that it is on, as it names it. Undefined: it is on none. */
  readonly nfsServer: string | undefined;
}

/** The PersistentVolumes of a cluster that claims hold. Undefined where it does not answer. */
export async function askHeldVolumes(kubeconfig: string): Promise<readonly HeldVolume[] | undefined> {
  try {
    const list: unknown = await asked(kubeconfig).get("/api/v1/persistentvolumes");
    return items(at(list, "items"))
      .filter((volume) => at(volume, "status", "phase") === "Bound")
      .map((volume) => ({
        name: text(at(volume, "metadata", "name")) ?? "",
        claim: ["namespace", "name"].map((key) => text(at(volume, "spec", "claimRef", key)) ?? "").join("/"),
        nfsServer: text(at(volume, "spec", "nfs", "server")),
      }));
  } catch {
    return undefined;
  }
}

/** Names each holder that has objects of others. Undefined where the cluster does not answer. */
export async function askForeignObjects(
  kubeconfig: string,
  leaving: Holders & Omit<Own, "annotation">,
): Promise<readonly string[] | undefined> {
  try {
    return await foreignObjects(asked(kubeconfig, LISTS_MS), leaving, { ...leaving, annotation: OWNER });
  } catch {
    return undefined;
  }
}

/** The kinds of a version of an API group, as each user may look them up. */
async function kindsOf(api: KubeApi, apiVersion: string): Promise<ReadonlySet<string>> {
  return new Set((await resourcesOf(api, apiVersion)).map(({ kind }) => kind));
}

/** A cluster that is asked before a run: the limit is that of all its answers together. */
function asked(kubeconfig: string, patience = PATIENCE_MS): KubeApi {
  return new KubeApi(apiAccess(kubeconfig), AbortSignal.timeout(patience));
}
