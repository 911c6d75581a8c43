import { KubeApi } from "../../components/kube/client/kube-api";
import { apiAccess } from "../../components/kube/access/api-access";
import { at, items, text } from "../../components/kube/objects/object";
import type { StackState } from "../stack/stack-state";
import { nameOf, type ResourceState } from "../stack/state";
import { RELEASE } from "../stack/steps";
import { vimsOf } from "../checks/vims";

/** Label selector of unfinished revisions, including cut-off ones: Helm refuses to start another while one exists. */
const PENDING = "status in (pending-install,pending-upgrade,pending-rollback)";

/** Returns true if a resource is a Helm release. */
export function isRelease({ type }: ResourceState): boolean {
  return type === RELEASE;
}

/**
 * Removes the revision that was cut off from each release's history: the objects that it has created stay, and belong
 * to the release, so that the next update continues. Nothing else may be working on these releases.
 * @returns the actions, as lines
 */
export async function freeReleases(
  state: StackState,
  releases: readonly ResourceState[],
): Promise<readonly string[]> {
  const vims = vimsOf(state);
  const lines = releases.map(async (resource) => {
    const vim = vims.find(({ urn }) => resource.provider?.startsWith(`${urn}::`));
    if (vim === undefined) return [];
    try {
      const freed = await freeRelease(new KubeApi(apiAccess(vim.kubeconfig)), resource);
      return freed.map(
        (revision) =>
          `${nameOf(resource)}: Helm's revision ${revision} was interrupted; it is removed from the history`,
      );
    } catch (error) {
      return [
        `${nameOf(resource)}: vnfm cannot query whether Helm was interrupted: ${(error as Error).message}`,
      ];
    }
  });
  return (await Promise.all(lines)).flat();
}

/**
 * @returns the removed revisions
 */
async function freeRelease(api: KubeApi, { inputs }: ResourceState): Promise<string[]> {
  const [name, namespace] = [text(inputs?.["name"]) ?? "", text(inputs?.["namespace"]) ?? "default"];
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`;
  const selector = encodeURIComponent(`owner=helm,name=${name},${PENDING}`);
  const found = items(at(await api.get(`${path}?labelSelector=${selector}`), "items"));
  const freed = found.map(async (secret) => {
    const [secretName, uid] = ["name", "uid"].map((key) => text(at(secret, "metadata", key)) ?? "");
    await api.delete(`${path}/${encodeURIComponent(secretName ?? "")}`, uid ?? "");
    return text(at(secret, "metadata", "labels", "version")) ?? "";
  });
  return Promise.all(freed);
}
