import * as pulumi from "@pulumi/pulumi";
import { refuseNewerState } from "../base/state-version";
import type { FormerOutputs } from "../plan/former-outputs";

/**
 * Reads the outputs of this stack's last successful run, like those of another stack. A StackReference would be a
 * resource with all outputs in the state, and with the stack's name: after a rename, a refresh would fail.
 *
 * @throws Fault if a newer version of vnfm has updated the stack
 */
export async function readFormerOutputs(): Promise<FormerOutputs> {
  const { vnfs, vnfmVersion } = await readOutputs();
  refuseNewerState(vnfmVersion);
  // a stack that was never up has no outputs
  return vnfs ?? {};
}

/** Reads the kubeconfigs in the last run's outputs, by instance; secret. */
export async function readFormerKubeconfigs(): Promise<Readonly<Record<string, string>>> {
  return (await readOutputs()).kubeconfigs ?? {};
}

interface Outputs {
  readonly vnfmVersion?: string;
  readonly vnfs?: FormerOutputs;
  readonly kubeconfigs?: Readonly<Record<string, string>>;
}

function readOutputs(): Promise<Outputs> {
  return readStackOutputs(`${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`);
}

/** Reads the outputs of a stack; none before its first update. @param name with organization and project */
export async function readStackOutputs<T extends object>(name: string): Promise<Partial<T>> {
  const answer: unknown = await pulumi.runtime.invoke("pulumi:pulumi:readStackOutputs", { name });
  return (answer as { readonly outputs?: T }).outputs ?? {};
}
