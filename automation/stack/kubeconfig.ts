import { foreignKubeconfig } from "../../components/kube/access/foreign-kubeconfig";
import { fields, text } from "../../components/kube/objects/object";
import { didYouMean, oneOf } from "../../components/base/nearest";
import { own } from "../../components/base/own";
import { UsageFault } from "../fault";
import type { PulumiStack } from "./pulumi";

/**
 * The kubeconfig of a cluster of a stack from the last run. Cluster API renews the certificate in that of a workload
 * cluster, which each run reads again.
 * @throws UsageFault if the instance is no cluster, or does not exist yet, Fault if foreignKubeconfig refuses it
 */
export async function kubeconfigOf(stack: PulumiStack, vnf: string): Promise<string> {
  const kubeconfigs = fields((await stack.secretOutputs())["kubeconfigs"]);
  const kubeconfig = text(own(kubeconfigs, vnf));
  if (kubeconfig !== undefined)
    return foreignKubeconfig(kubeconfig, `the kubeconfig of ${vnf} of stack ${stack.name}`);
  const known = Object.keys(kubeconfigs);
  throw new UsageFault(
    known.length === 0
      ? `${vnf} has no kubeconfig: stack ${stack.name} has no cluster yet; 'pulumi up' creates those of its config`
      : `${vnf} is not an existing cluster; ${oneOf(known)}${didYouMean(vnf, known)}`,
  );
}
