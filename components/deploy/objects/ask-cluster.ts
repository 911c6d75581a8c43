import { apiAccess } from "../../kube/api-access";
import { at, fields, items, text } from "../../kube/object";
import type { ApiKind } from "../../plan/workload/cnf-definitions";
import { ApiError, KubeApi } from "../../kube/client/kube-api.cjs";

/** How long a cluster may take to answer a question, in milliseconds: a preview goes on without it. */
const PATIENCE_MS = 10_000;

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

/** The kinds of a version of an API group, as each user may look them up. */
async function kindsOf(api: KubeApi, apiVersion: string): Promise<ReadonlySet<string>> {
  try {
    const list: unknown = await api.get(`/apis/${apiVersion.split("/").map(encodeURIComponent).join("/")}`);
    return new Set(items(at(list, "resources")).map((resource) => text(fields(resource)["kind"]) ?? ""));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return new Set();
    throw error;
  }
}

/** A cluster that is asked before a run: the limit is that of all its answers together. */
function asked(kubeconfig: string): KubeApi {
  return new KubeApi(apiAccess(kubeconfig), AbortSignal.timeout(PATIENCE_MS));
}
