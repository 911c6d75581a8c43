import { assertAnswer } from "../base/fault";
import { apiAccess } from "../kube/access/api-access";
import { at, items, text } from "../kube/objects/object";
import type { ApiKind } from "../plan/workload/model";
import { foreignObjects, type Holders, type Own } from "../kube/client/foreign-objects";
import { KubeApi } from "../kube/client/kube-api";
import { resourcesOf } from "../kube/client/read";
import { OWNER } from "../deploy/objects/ownership";

/** Time limit for a query to a cluster, in milliseconds: a preview goes on without the answer. */
const PATIENCE_MS = 10_000;

/** Time limit in milliseconds for lists of all objects of some kinds, or in Namespaces, that a run would delete. */
const LISTS_MS = 60_000;

/**
 * Reads the version of Kubernetes from a cluster, such as `v1.33.0` or `v1.33.0-eks-1a2b3c`, as Helm does when it
 * installs a chart. Undefined if the cluster does not answer, or answers without a version.
 */
export async function readVersion(kubeconfig: string): Promise<string | undefined> {
  const api = apiOf(kubeconfig);
  const version: unknown = await answerOf(() => api.get("/version"));
  return /^v1\.\d+\.\d+[-+.\w]*$/.exec(text(at(version, "gitVersion")) ?? "")?.[0];
}

/** Returns those of the kinds that a cluster serves. Undefined if it does not answer. */
export async function readServedKinds(
  kubeconfig: string,
  kinds: readonly ApiKind[],
): Promise<readonly ApiKind[] | undefined> {
  const api = apiOf(kubeconfig);
  const versions = [...new Set(kinds.map(({ apiVersion }) => apiVersion))];
  return answerOf(async () => {
    const served = await Promise.all(
      versions.map(async (version) => [version, await kindsOf(api, version)] as const),
    );
    const known = new Map(served);
    return kinds.filter(({ apiVersion, kind }) => known.get(apiVersion)?.has(kind));
  });
}

/** A PersistentVolume that is bound to a PersistentVolumeClaim. */
export interface BoundVolume {
  readonly name: string;
  /** Name of the PersistentVolumeClaim, as `<namespace>/<name>`. */
  readonly claim: string;
  /** The NFS server in the volume's spec. Undefined: the volume is not NFS. */
  readonly nfsServer: string | undefined;
}

/**
 * Reads the PersistentVolumes of a cluster that are bound to PersistentVolumeClaims. Undefined if it does not answer.
 */
export function readBoundVolumes(kubeconfig: string): Promise<readonly BoundVolume[] | undefined> {
  return answerOf(async () => {
    const list: unknown = await apiOf(kubeconfig).get("/api/v1/persistentvolumes");
    return items(at(list, "items"))
      .filter((volume) => at(volume, "status", "phase") === "Bound")
      .map((volume) => ({
        name: text(at(volume, "metadata", "name")) ?? "",
        claim: ["namespace", "name"].map((key) => text(at(volume, "spec", "claimRef", key)) ?? "").join("/"),
        nfsServer: text(at(volume, "spec", "nfs", "server")),
      }));
  });
}

/**
 * Describes each CRD or Namespace with objects that the stack did not create. Undefined if the cluster does not answer.
 */
export function readForeignObjects(
  kubeconfig: string,
  leaving: Holders & Omit<Own, "annotation">,
): Promise<readonly string[] | undefined> {
  return answerOf(async () =>
    foreignObjects(apiOf(kubeconfig, LISTS_MS), leaving, { ...leaving, annotation: OWNER }),
  );
}

/** Kinds of a version of an API group; every user may read them. */
async function kindsOf(api: KubeApi, apiVersion: string): Promise<ReadonlySet<string>> {
  return new Set((await resourcesOf(api, apiVersion)).map(({ kind }) => kind));
}

/** The answer to a query. Undefined if the cluster does not answer. @throws errors of the program itself */
async function answerOf<T>(query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    assertAnswer(error);
    return undefined;
  }
}

/** The API of a cluster for queries before a run, with one time limit for all of them together. */
function apiOf(kubeconfig: string, patience = PATIENCE_MS): KubeApi {
  return new KubeApi(apiAccess(kubeconfig), AbortSignal.timeout(patience));
}
