import { isFields } from "../../components/kube/objects/object";
import { own } from "../../components/base/own";
import { hasTemplate } from "../../components/settings/clusters";
import { DEFINITIONS } from "../../components/settings/schema-part";
import { withSecretTexts } from "../../components/settings/secret-texts";
import { isWorkload } from "../../components/plan/model";
import { vnfOfStack } from "../../components/plan/vim";
import { Fault, UsageFault } from "../fault";
import type { Run } from "../run";
import { intentOf, vnfOf, type IntendedVnf } from "../stack/intent";
import type { PulumiStack } from "../stack/pulumi";
import { editValue, patchEdits, type StackSettings } from "../stack/stack-config";
import { NOTHING } from "./guard";
import { operate, type Operation, type Outcome } from "./operation";

/**
 * Instantiates a VNF: adds it to the stack config, and applies it.
 * @throws UsageFault if the name is in use; otherwise as `operate` does
 */
export function instantiate(stack: PulumiStack, vnf: string, settings: object, run: Run): Promise<Outcome> {
  return operate(stack, ({ settings: present }) => planInstantiate(present, vnf, settings), run);
}

/**
 * Changes settings of a VNF instance in the stack config, and applies them.
 * @param patch a JSON merge patch: absent keys stay, null removes a key, a list is replaced as a whole
 * @throws UsageFault if there is no such VNF instance; otherwise as `operate` does
 */
export function update(stack: PulumiStack, vnf: string, patch: object, run: Run): Promise<Outcome> {
  return operate(stack, ({ settings }) => planUpdate(settings, vnf, patch), run);
}

/**
 * Terminates a VNF instance: removes it from the stack config, and applies that.
 * @throws UsageFault if there is no such VNF instance, Fault if others are on it; otherwise as `operate` does
 */
export function terminate(stack: PulumiStack, vnf: string, run: Run): Promise<Outcome> {
  return operate(stack, ({ settings }) => planTerminate(settings, vnf), run);
}

/**
 * Terminates all VNF instances of a stack: leaves `vnfm:vnfs` empty, and applies that.
 *
 * @throws as `operate` does
 */
export function terminateAll(stack: PulumiStack, run: Run): Promise<Outcome> {
  return operate(stack, ({ settings }) => planTerminateAll(settings), run);
}

export function planInstantiate(present: StackSettings, vnf: string, settings: object): Operation {
  if (own(present.vnfs, vnf) !== undefined)
    throw new UsageFault(`the stack config already has an instance ${vnf}: update it, or use another name`);
  return checked(present, {
    edits: [{ vnf, path: [], value: written(settings, settings) }],
    allowance: NOTHING,
  });
}

/** The edit for an update. The settings do not show which deletions it causes, so the operator confirms them. */
export function planUpdate(present: StackSettings, vnf: string, patch: object): Operation {
  vnfOf(intentOf(present), vnf);
  return checked(present, {
    edits: patchEdits(vnf, own(present.vnfs, vnf), written(patch, { ...own(present.vnfs, vnf), ...patch })),
    allowance: NOTHING,
  });
}

/** The edit for a termination. It allows the deletion of the whole instance and, if it is a cluster, of its addons. */
export function planTerminate(present: StackSettings, vnf: string): Operation {
  const before = intentOf(present);
  vnfOf(before, vnf);
  assertUnused(present, before, vnf);
  const operation = { edits: [{ vnf, path: [], value: undefined }] };
  const after = intentOf(editValue(present, operation.edits));
  const whole = [...before.keys()].filter((instance) => !after.has(instance));
  return { ...operation, allowance: { ...NOTHING, whole } };
}

/** @throws Fault with the CNFs on a cluster, and those on clusters of these CNFs, which must be terminated first */
function assertUnused({ vnfs }: StackSettings, intent: ReadonlyMap<string, IntendedVnf>, vnf: string): void {
  const gone = new Set([vnf]);
  // each VIM precedes its CNFs
  for (const { name, plan } of intent.values())
    if (isWorkload(plan) && gone.has(vnfOfStack(plan.on) ?? "")) gone.add(name);
  // addons are deleted with their cluster
  const users = [...gone].filter((name) => name !== vnf && own(vnfs, name) !== undefined).reverse();
  if (users.length > 0)
    throw new Fault(
      `${vnf} is the target cluster of ${users.join(", ")}. Nothing was changed. Terminate these first, one after the other, ` +
        `or remove all of them and ${vnf} from vnfm:vnfs, and run 'vnfm up'`,
    );
}

/**
 * The edit that terminates all instances. It allows the deletion of these, and of instances of the last run that the
 * stack config no longer has.
 */
export function planTerminateAll({ vnfs }: StackSettings): Operation {
  const edits = Object.keys(vnfs).map((vnf) => ({ vnf, path: [], value: undefined }));
  return { edits, allowance: { ...NOTHING, whole: "all" } };
}

/** @throws SettingsFault with all errors of the edited settings */
function checked(present: StackSettings, operation: Operation): Operation {
  intentOf(editValue(present, operation.edits));
  return operation;
}

/**
 * Settings for the file: without undefined values, and with a Secret for each text to encrypt.
 * @param whole all settings of the instance
 * @throws UsageFault if they are invalid
 */
function written(settings: object, whole: object): unknown {
  if (!isFields(settings)) throw new UsageFault("the settings of an instance must be a map");
  const schema = hasTemplate(whole) ? DEFINITIONS.cluster : DEFINITIONS.vnf;
  return withSecretTexts(asJson(settings), schema);
}

/** A value as JSON; instances of Secret stay. */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => asJson(item) ?? null);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, asJson(item)]));
}
