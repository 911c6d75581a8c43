import { didYouMean, oneOf } from "../components/nearest";
import { UsageFault } from "./fault";
import { intentOf, vnfOf } from "./intent";
import { operate, type Conduct, type Operation, type Outcome } from "./operation";
import type { PulumiStack } from "./pulumi";
import { editValue, type Edit, type StackSettings } from "./stack-config";

const SECRETS: readonly string[] = ["ssh_key", "service_account", "certificates"];

/**
 * Rotates secrets of a cluster in place: gives each a new token in the stack config, and applies that.
 *
 * @param stack of the project in the current folder
 * @param secrets `ssh_key`, `service_account` or `certificates`
 * @throws UsageFault if there is no such cluster or secret; otherwise as `operate` does
 */
export function rotate(
  stack: PulumiStack,
  vnf: string,
  secrets: readonly string[],
  conduct: Conduct = {},
): Promise<Outcome> {
  const token = new Date().toISOString();
  return operate(stack, (settings) => planRotate(settings, vnf, secrets, token), conduct);
}

/** The edit that rotates; no VNFC and no Kubernetes object may go for it. */
export function planRotate(
  settings: StackSettings,
  name: string,
  secrets: readonly string[],
  token: string,
): Operation {
  if (vnfOf(intentOf(settings), name).plan.kind !== "kubeadm")
    throw new UsageFault(`${name} is no cluster: it has nothing to rotate`);
  const unknown = secrets.find((secret) => !SECRETS.includes(secret));
  if (unknown !== undefined)
    throw new UsageFault(`"${unknown}" is not ${oneOf(SECRETS)}${didYouMean(unknown, SECRETS)}`);
  const edits = secrets.map((secret): Edit => ({ vnf: name, path: ["rotate", secret], value: token }));
  intentOf(editValue(settings, edits));
  // Nova has no other way to change a key pair than another one
  const isKey = secrets.includes("ssh_key");
  return {
    edits,
    allowance: { vnf: name, actions: ["replace"], mayGo: (part) => isKey && part === "key pair" },
  };
}
