import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { didYouMean, oneOf } from "../../components/nearest";
import { own } from "../../components/own";
import { UsageFault } from "../fault";
import type { PulumiStack } from "../stack/pulumi";

/**
 * Writes the kubeconfig of a cluster, as the last run has read it, to a file that its owner alone may read. Cluster API
 * renews the certificate in that of a workload cluster: each run reads it anew.
 *
 * @throws UsageFault if the instance is no cluster, or has not been made yet
 */
export async function writeKubeconfig(stack: PulumiStack, vnf: string, file: string): Promise<void> {
  const kubeconfigs = ((await stack.secretOutputs())["kubeconfigs"] ?? {}) as Readonly<
    Record<string, string>
  >;
  const kubeconfig = own(kubeconfigs, vnf);
  const known = Object.keys(kubeconfigs);
  if (kubeconfig === undefined)
    throw new UsageFault(
      known.length === 0
        ? `${vnf} has no kubeconfig: this stack has no cluster yet, 'pulumi up' makes those of its config`
        : `${vnf} is no cluster that is there; ${oneOf(known)}${didYouMean(vnf, known)}`,
    );
  // before the text is in it
  if (existsSync(file)) chmodSync(file, 0o600);
  writeFileSync(file, kubeconfig, { mode: 0o600 });
}
