import { didYouMean, oneOf } from "../../components/base/nearest";
import { own } from "../../components/base/own";
import type { CloudKind } from "../changes/kinds";
import { UsageFault } from "../fault";
import { intentOf, vnfOf } from "../stack/intent";
import type { Run } from "../run";
import { ofKinds } from "./guard";
import { operate, type Operation, type Outcome } from "./operation";
import type { PulumiStack } from "../stack/pulumi";
import { editValue, type Edit, type StackSettings } from "../stack/stack-config";

/**
 * Secrets of a kubeadm cluster that can be rotated, and below those of a cluster from a template: the setting with the
 * trigger value, by the name of the secret.
 */
const OF_VNF = {
  ssh_key: ["rotate", "ssh_key"],
  service_account: ["rotate", "service_account"],
  certificates: ["rotate", "certificates"],
  encryption_key: ["rotate", "encryption_key"],
  credential: ["rotate", "credential"],
} as const;
export type SecretName = keyof typeof OF_VNF;
export const SECRET_NAMES: readonly string[] = Object.keys(OF_VNF);
const OF_TEMPLATE = { credential: ["credential", "rotate"] } as const;

/** Resources that are replaced for a secret, as Keystone cannot change them in place. */
const REPLACED: Readonly<Record<string, CloudKind>> = {
  credential: "applicationCredential",
};

/**
 * Rotates secrets of a cluster in place: writes a new trigger value for each into the stack config, and applies it.
 * @param secrets `ssh_key`, `service_account`, `certificates`, `encryption_key` or `credential`; only the last one for
 * a cluster from a template
 * @throws UsageFault if there is no such cluster or secret; otherwise as `operate` does
 */
export function rotate(
  stack: PulumiStack,
  vnf: string,
  secrets: readonly SecretName[],
  run: Run,
): Promise<Outcome> {
  const token = new Date().toISOString();
  return operate(stack, ({ settings }) => planRotate(settings, vnf, secrets, token), run);
}

/** The edit for a rotation. It allows the deletion of no VNFC and no Kubernetes object. */
export function planRotate(
  settings: StackSettings,
  name: string,
  secrets: readonly string[],
  token: string,
): Operation {
  const { plan } = vnfOf(intentOf(settings), name);
  if (plan.kind !== "kubeadm" && plan.kind !== "template")
    throw new UsageFault(`${name} is not a cluster: it has no secrets to rotate`);
  const paths: Readonly<Record<string, readonly [string, string]>> =
    plan.kind === "template" ? OF_TEMPLATE : OF_VNF;
  const known = Object.keys(paths);
  const edits = secrets.map((secret): Edit => {
    const path = own(paths, secret);
    if (path === undefined)
      throw new UsageFault(`"${secret}" is not ${oneOf(known)}${didYouMean(secret, known)}`);
    return { vnf: name, path, value: token };
  });
  intentOf(editValue(settings, edits));
  const replaced = secrets.flatMap((secret) => own(REPLACED, secret) ?? []);
  return {
    edits,
    allowance: { vnf: name, actions: ["replace"], mayGo: ofKinds(...replaced) },
  };
}
