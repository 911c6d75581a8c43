import { Fault } from "../fault";
import type { PulumiStack } from "../stack/pulumi";
import type { Script } from "../stack/stack-state";
import { without } from "../stack/state";

/** Removes the resources of scripts from the state, so that their deletion runs nothing. */
export async function forget(stack: PulumiStack, scripts: readonly Script[]): Promise<void> {
  const state = await stack.state();
  if ((state.deployment.pending_operations ?? []).length > 0)
    throw new Fault("a run was interrupted: run 'vnfm recover' first");
  const urns = scripts.map(({ urn }) => urn);
  const forgotten = (state.deployment.resources ?? []).filter(({ urn }) => urns.includes(urn));
  if (forgotten.length > 0) await stack.importState(without(state, forgotten));
}
