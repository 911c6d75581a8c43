import * as pulumi from "@pulumi/pulumi";
import { didYouMean, oneOf } from "./nearest";
import { own } from "./own";
import type { OtherStackVim } from "./settings/model";

/** The clusters of other stacks: the only reader of another stack's outputs. */
export class OtherStacks {
  readonly #references = new Map<string, pulumi.StackReference>();

  /**
   * @param path the setting `vim`, for errors
   * @returns the VIM's kubeconfig; secret, and known in a preview too
   * @throws RunError if it is this stack; the output, where it has no such VIM or its secrets stay closed
   */
  kubeconfig(vim: OtherStackVim, path: string): pulumi.Output<string> {
    const name = qualified(vim.stack);
    if (name === qualified(pulumi.getStack())) {
      throw new pulumi.RunError(`${path}.stack: ${name} is this stack; name its cluster VNF as vim`);
    }
    const { outputs } = this.#reference(name);
    return pulumi.secret(outputs.apply((read) => kubeconfigOf(read, { ...vim, stack: name }, path)));
  }

  /** One for each stack, however many CNFs land there. */
  #reference(name: string): pulumi.StackReference {
    const reference = this.#references.get(name) ?? new pulumi.StackReference(name);
    this.#references.set(name, reference);
    return reference;
  }
}

/** What another stack of this program shows, as far as it is read here. */
export interface StackOutputs {
  readonly vnfs?: Readonly<Record<string, { readonly vimName?: string }>>;
  /** Undecryptable secrets come as an empty map (pulumi 3.259). */
  readonly kubeconfigs?: Readonly<Record<string, string>>;
}

/** @throws RunError if there is not exactly one VIM of that name, or the stack's secrets stay closed */
export function kubeconfigOf(
  { vnfs = {}, kubeconfigs = {} }: StackOutputs,
  { stack, vim_name: wanted }: OtherStackVim,
  path: string,
): string {
  const vims = Object.entries(vnfs).flatMap(([vnf, { vimName }]) =>
    vimName === undefined ? [] : [{ vnf, vimName }],
  );
  const [found, another] = vims.filter(({ vimName }) => vimName === wanted);
  if (found === undefined) {
    const known = vims.map(({ vimName }) => vimName);
    throw new pulumi.RunError(
      `${path}.vim_name: stack ${stack} has no VIM "${wanted}"; ${oneOf(known)}${didYouMean(wanted, known)}; ` +
        "pulumi up of that stack registers its clusters",
    );
  }
  if (another !== undefined) {
    throw new pulumi.RunError(
      `${path}.vim_name: "${wanted}" are ${found.vnf} and ${another.vnf} of stack ${stack}; ` +
        "give the kubeconfig of one of them as vim",
    );
  }
  const kubeconfig = own(kubeconfigs, found.vnf);
  if (kubeconfig === undefined) {
    throw new pulumi.RunError(
      `${path}.stack: the secrets of stack ${stack} cannot be decrypted; ` +
        "give both stacks the same passphrase, or the right to use the key of that one",
    );
  }
  return kubeconfig;
}

/** A name alone is that of a stack of this project. */
function qualified(stack: string): string {
  return stack.includes("/") ? stack : `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`;
}
