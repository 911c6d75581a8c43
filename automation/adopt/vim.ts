import { fields, isFields, text } from "../../components/kube/objects/object";
import { UsageFault } from "../fault";
import { kubeconfigOf } from "../stack/kubeconfig";
import { PulumiStack } from "../stack/pulumi";

/**
 * The kubeconfig of a VIM of the stack config: a cluster of this stack, one of another stack, or a kubeconfig.
 * @throws UsageFault if there is no such cluster, Fault if foreignKubeconfig refuses the kubeconfig of a stack
 */
export async function kubeconfigOfVim(stack: PulumiStack, vim: unknown): Promise<string> {
  if (typeof vim === "string") return kubeconfigOf(stack, vim);
  const { kubeconfig, stack: other, vim_name: name } = fields(vim);
  const config = text(kubeconfig);
  if (config !== undefined) return config;
  const opened = await PulumiStack.open(stack.folder, String(other));
  const vnfs = Object.entries(fields((await opened.outputs())["vnfs"]));
  const [instance] =
    vnfs.find(([, vnfOutputs]) => isFields(vnfOutputs) && vnfOutputs["vimName"] === name) ?? [];
  if (instance === undefined) throw new UsageFault(`stack ${String(other)} has no VIM ${String(name)}`);
  return kubeconfigOf(opened, instance);
}
