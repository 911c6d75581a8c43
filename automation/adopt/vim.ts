import { didYouMean, oneOf } from "../../components/nearest";
import { own } from "../../components/own";
import { foreignKubeconfig } from "../../components/kube/foreign-kubeconfig";
import { fields, isFields, text } from "../../components/kube/object";
import { UsageFault } from "../fault";
import { PulumiStack } from "../stack/pulumi";

/**
 * The kubeconfig of a VIM, as the stack config names it: a cluster of this stack, one of another stack, or a kubeconfig.
 *
 * @throws UsageFault if there is no such cluster, Fault if foreignKubeconfig refuses what a stack has of it
 */
export async function kubeconfigOf(stack: PulumiStack, vim: unknown): Promise<string> {
  if (typeof vim === "string") return ofInstance(stack, vim);
  const { kubeconfig, stack: other, vim_name: name } = fields(vim);
  const given = text(kubeconfig);
  if (given !== undefined) return given;
  const opened = await PulumiStack.open(stack.folder, String(other));
  if (opened === undefined) throw new UsageFault(`there is no stack ${String(other)}`);
  const vnfs = Object.entries(fields((await opened.outputs())["vnfs"]));
  const [instance] = vnfs.find(([, its]) => isFields(its) && its["vimName"] === name) ?? [];
  if (instance === undefined) throw new UsageFault(`stack ${String(other)} has no VIM ${String(name)}`);
  return ofInstance(opened, instance);
}

async function ofInstance(stack: PulumiStack, vnf: string): Promise<string> {
  const kubeconfigs = fields((await stack.secretOutputs())["kubeconfigs"]);
  const kubeconfig = text(own(kubeconfigs, vnf));
  if (kubeconfig !== undefined)
    return foreignKubeconfig(kubeconfig, `the kubeconfig of ${vnf} of stack ${stack.name}`);
  const known = Object.keys(kubeconfigs);
  throw new UsageFault(`${vnf} is no cluster that is there; ${oneOf(known)}${didYouMean(vnf, known)}`);
}
