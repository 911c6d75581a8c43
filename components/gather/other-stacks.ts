import * as pulumi from "@pulumi/pulumi";
import { Findings, textOf, type Place } from "../base/findings";
import { readForeignKubeconfig } from "../kube/access/foreign-kubeconfig";
import { readStackOutputs } from "./former-outputs";
import { didYouMean, oneOf } from "../base/nearest";
import { own } from "../base/own";
import { kubeconfigEnd } from "../plan/expiries";
import { workloads, type InstancePlan } from "../plan/model";
import { printable } from "../base/printable";
import { assertNone } from "../base/settings-fault";
import type { OtherStackVim } from "../settings/model";

/**
 * Reads the kubeconfigs of VIMs in other stacks, from the outputs of these stacks. Each stack is read once, before
 * anything is created.
 * @param outputs the stacks that the program has read before, to which this adds others: Pulumi refuses a second
 * reference to a stack
 * @returns kubeconfigs by the instance name of the CNF. They are secrets, and known in previews
 * @throws SettingsFault with every VIM that is not available
 */
export async function readVims(
  plans: readonly InstancePlan[],
  outputs = new Map<string, Promise<StackOutputs>>(),
): Promise<ReadonlyMap<string, pulumi.Output<string>>> {
  const faults = new Findings();
  const kubeconfigs = new Map<string, pulumi.Output<string>>();
  for (const { name, on } of workloads(plans)) {
    if (on.kind !== "stack") continue;
    const place = faults.instance(name).get("vim");
    const stack = qualified(on.stack);
    if (stack === qualified(pulumi.getStack())) {
      place.get("stack").fault(`${stack} is this stack; set the name of its cluster as vim`);
      continue;
    }
    const reading = outputs.get(stack) ?? outputsOf(stack);
    outputs.set(stack, reading);
    const kubeconfig = kubeconfigOf(await reading, { ...on, stack }, place);
    if (kubeconfig === undefined) continue;
    kubeconfigs.set(name, pulumi.secret(kubeconfig));
    const end = kubeconfigEnd(kubeconfig, Date.now());
    if (end === undefined) continue;
    const finding = place.finding(`${end.text}; pulumi up of stack ${stack} exports the current kubeconfig`);
    if (end.hasEnded) faults.add(finding);
    else void pulumi.log.warn(printable(textOf(finding)));
  }
  assertNone(faults);
  return kubeconfigs;
}

/** Outputs of a vnfm stack that other stacks read. */
export interface StackOutputs {
  readonly vnfs: Readonly<Record<string, { readonly vimName?: string }>>;
  /** Kubeconfigs by VIM name; empty if Pulumi cannot decrypt them (pulumi 3.259). */
  readonly kubeconfigs: Readonly<Record<string, string>>;
}

/**
 * Reads the kubeconfig of another stack's VIM that no instance uses any longer, without a resource in the state.
 * Undefined if it is not available.
 */
export async function readVim(vim: OtherStackVim): Promise<string | undefined> {
  const stack = qualified(vim.stack);
  try {
    const { vnfs = {}, kubeconfigs = {} } = await readStackOutputs<StackOutputs>(stack);
    return kubeconfigOf({ vnfs, kubeconfigs }, { ...vim, stack }, new Findings().at());
  } catch {
    return undefined;
  }
}

async function outputsOf(stack: string): Promise<StackOutputs> {
  const reference = new pulumi.StackReference(stack);
  const vnfs = await reference.getOutputDetails("vnfs");
  const kubeconfigs = await reference.getOutputDetails("kubeconfigs");
  // a stack that is destroyed, or was never up, has no outputs
  return {
    vnfs: (vnfs.value ?? {}) as StackOutputs["vnfs"],
    kubeconfigs: (kubeconfigs.secretValue ?? {}) as StackOutputs["kubeconfigs"],
  };
}

/**
 * Returns the kubeconfig of a VIM by its name. Undefined, with an error, if the stack has no or several VIMs of that
 * name, if its secrets cannot be decrypted, or if readForeignKubeconfig rejects it.
 */
export function kubeconfigOf(
  { vnfs, kubeconfigs }: StackOutputs,
  { stack, vim_name: wanted }: OtherStackVim,
  place: Place,
): string | undefined {
  const named = place.get("vim_name");
  const vims = Object.entries(vnfs).flatMap(([vnf, { vimName }]) =>
    vimName === undefined ? [] : [{ vnf, vimName }],
  );
  const [found, another] = vims.filter(({ vimName }) => vimName === wanted);
  if (found === undefined) {
    const known = vims.map(({ vimName }) => vimName);
    named.fault(
      `stack ${stack} has no VIM "${wanted}"; ${oneOf(known)}${didYouMean(wanted, known)}; ` +
        "pulumi up of that stack registers its clusters",
    );
    return undefined;
  }
  if (another !== undefined) {
    named.fault(
      `"${wanted}" matches ${found.vnf} and ${another.vnf} of stack ${stack}; ` +
        "set the kubeconfig of one of them as vim",
    );
    return undefined;
  }
  const kubeconfig = own(kubeconfigs, found.vnf);
  if (kubeconfig === undefined) {
    place
      .get("stack")
      .fault(
        `the secrets of stack ${stack} cannot be decrypted; ` +
          "use the same passphrase for both stacks, or get access to the key of that one",
      );
    return undefined;
  }
  const problems: string[] = [];
  const read = readForeignKubeconfig(kubeconfig, problems);
  for (const problem of problems) named.fault(`the kubeconfig of "${wanted}" of stack ${stack}: ${problem}`);
  return read;
}

/** Adds organization and project of this stack to a stack name without them. */
function qualified(stack: string): string {
  return stack.includes("/") ? stack : `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`;
}
