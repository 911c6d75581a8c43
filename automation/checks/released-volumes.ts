import { apiAccess } from "../../components/kube/access/api-access";
import { askCluster } from "./ask";
import type { Finding } from "./checks";
import { factsOf } from "./facts";
import { Fault } from "../fault";
import type { StackVim } from "./vims";

const PROGRAM = "deploy/objects/scripts/released-volumes";

/** A PersistentVolume that no PVC can bind, because its former PVC was deleted and its reclaim policy is Retain. */
export interface ReleasedVolume {
  readonly name: string;
  /** Name of the deleted PVC, as `<namespace>/<name>`. */
  readonly claim: string;
}

const readReleased = factsOf<readonly ReleasedVolume[]>({
  elements: { properties: { name: { type: "string" }, claim: { type: "string" } } },
});

/** Filters PersistentVolumes of a cluster by the status Released. @throws Fault if the cluster does not answer */
export async function releasedAmong(
  vim: StackVim,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<readonly ReleasedVolume[]> {
  return readReleased(await answered(vim, "show", names, signal));
}

/** Releases PersistentVolumes with the status Released. @throws Fault if the cluster refuses */
export async function letGo(vim: StackVim, names: readonly string[], signal?: AbortSignal): Promise<void> {
  await answered(vim, "release", names, signal);
}

/** Findings about the PersistentVolumes that the stack has created on a cluster. */
export async function volumeFindings(vim: StackVim, signal?: AbortSignal): Promise<readonly Finding[]> {
  const about = { urn: vim.urn, step: "volumes" };
  try {
    const released = await releasedAmong(
      vim,
      vim.volumes.map(({ name }) => name),
      signal,
    );
    return released.map(({ name, claim }): Finding => {
      const vnf = vim.volumes.find((volume) => volume.name === name)?.vnf ?? "";
      const text = `PersistentVolume ${name} is Released: its PVC ${claim} was deleted, and no other PVC gets it`;
      return { ...about, vnf, kind: "differs", wayOut: "release", volume: name, text };
    });
  } catch (error) {
    if (!(error instanceof Fault) || signal?.aborted) throw error;
    const text = `whether PersistentVolumes are Released cannot be checked: ${error.message}`;
    return [{ ...about, vnf: vim.volumes[0]?.vnf ?? "", kind: "unchecked", text }];
  }
}

function answered(
  { kubeconfig }: StackVim,
  verb: "show" | "release",
  names: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  return askCluster([PROGRAM, verb], { access: apiAccess(kubeconfig), names }, signal);
}
