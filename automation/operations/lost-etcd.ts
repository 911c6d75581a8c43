import { jsonData } from "../../components/base/json";
import { keepReceipt } from "../../components/remote/receipt";
import { Fault } from "../fault";
import type { PulumiStack } from "../stack/pulumi";
import type { Script } from "../stack/stack-state";
import { without } from "../stack/state";

/** Removes the resources of scripts from the state, so that their later deletion runs no script. */
export async function forget(stack: PulumiStack, scripts: readonly Script[]): Promise<void> {
  const state = await stack.state();
  if ((state.deployment.pending_operations ?? []).length > 0)
    throw new Fault("a run was interrupted: run 'vnfm recover' first");
  const urns = scripts.map(({ urn }) => urn);
  const forgotten = (state.deployment.resources ?? []).filter(({ urn }) => urns.includes(urn));
  if (forgotten.length > 0) await stack.importState(without(state, forgotten));
}

/**
 * Makes the next server refuse an archive of etcd that is older than the one that the operator has confirmed. The
 * timestamp comes from the server that stores the archive.
 * @param step the step that restores the archive
 * @param time timestamp of the confirmed archive
 */
export function refuseOlder(step: Script, time: string): void {
  const { receipt } = jsonData(step.stdin, "the data of a step") as { readonly receipt?: string };
  if (receipt !== undefined) keepReceipt(receipt, time);
}
