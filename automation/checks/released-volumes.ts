import { apiAccess } from "../../components/kube/access/api-access";
import { askCluster } from "./ask";
import type { Finding } from "./checks";
import { factsOf } from "./facts";
import { Fault } from "../fault";
import type { StackVim } from "./vims";

const PROGRAM = "deploy/objects/scripts/released-volumes";

/** A PersistentVolume that no claim gets, as the one that held it is gone and its reclaim policy is Retain. */
export interface ReleasedVolume {
  readonly name: string;
  /** `<namespace>/<name>` of the claim that held it. */
  readonly claim: string;
}

const readReleased = factsOf<readonly ReleasedVolume[]>({
  elements: { properties: { name: { type: "string" }, claim: { type: "string" } } },
});

/** Those of some PersistentVolumes of a cluster that are Released. @throws Fault if the cluster does not say */
export async function releasedAmong(
  vim: StackVim,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<readonly ReleasedVolume[]> {
  return readReleased(await answered(vim, "show", names, signal));
}

/** Lets go of PersistentVolumes that are Released. @throws Fault if the cluster refuses */
export async function letGo(vim: StackVim, names: readonly string[], signal?: AbortSignal): Promise<void> {
  await answered(vim, "release", names, signal);
}

/** What a check says of the PersistentVolumes that the stack has made on a cluster. */
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
      const text = `PersistentVolume ${name} is Released: ${claim}, which held it, is gone, and no other claim gets it`;
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
