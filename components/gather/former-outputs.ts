import * as pulumi from "@pulumi/pulumi";
import { clustersOf, type FormerOutputs } from "../plan/cluster-api/version-steps";
import type { InstancePlan } from "../plan/model";

/**
 * What this stack's last run has shown of its instances: the engine alone knows the state, and gives it to a program as a
 * reference to the stack itself. Stacks without clusters of Cluster API do not ask.
 */
export async function readFormerOutputs(plans: readonly InstancePlan[]): Promise<FormerOutputs> {
  if (clustersOf(plans).length === 0) return {};
  const stack = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  const vnfs = await new pulumi.StackReference(stack).getOutputDetails("vnfs");
  // a stack that was never up has no outputs
  return (vnfs.value ?? {}) as FormerOutputs;
}
