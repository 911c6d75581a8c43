import { previewOf } from "../changes/changes";
import { intentOf } from "../stack/intent";
import type { PulumiStack } from "../stack/pulumi";
import { topologyOf } from "./graph";
import type { Topology } from "./model";

/** A topology, with warnings for the operator. */
export interface StackTopology extends Topology {
  readonly warnings: readonly string[];
}

/**
 * Returns the parts of a stack and what its next run changes, from a preview. Nothing is changed.
 *
 * @throws Fault if the preview fails
 */
export async function topology(stack: PulumiStack, signal?: AbortSignal): Promise<StackTopology> {
  const [settings, config] = await Promise.all([stack.settings(), stack.config()]);
  const { steps, warnings } = await stack.preview({ signal });
  const plans = [...intentOf(settings).values()].map(({ plan }) => plan);
  const cloud = config["openstack:cloud"] ?? process.env["OS_CLOUD"];
  const name = cloud === undefined ? "cloud of the OS_* variables" : `cloud ${cloud}`;
  return { ...topologyOf(plans, previewOf(steps).changes, name), warnings };
}
