import { didYouMean, oneOf } from "../../components/base/nearest";
import { ALL, cnfsOn } from "../../components/plan/heal";
import { isWorkload, serversOf } from "../../components/plan/model";
import { Fault, UsageFault } from "../fault";
import { intentOf, vnfOf, type IntendedVnf } from "../stack/intent";
import { ofVnfcs } from "./guard";
import { outOfSnapshot } from "./lost-master";
import type { Run } from "../run";
import { operate, type Operation, type Outcome } from "./operation";
import type { Moment } from "../stack/moment";
import type { PulumiStack } from "../stack/pulumi";
import { keepQuorum } from "./quorum";
import { editValue, type Edit, type StackSettings } from "../stack/stack-config";
import type { StackState } from "../stack/stack-state";

/**
 * Heals VNFCs of a VNF instance, or all of it: writes a new trigger value for each into the stack config, and applies
 * it. A new trigger value replaces the VNFC.
 * @param vnfcs their names, such as `workerNode-2`, or `all`
 * @throws UsageFault if there is no such VNF instance or VNFC, Fault if etcd would lose its majority, or all members;
 * otherwise as `operate` does
 */
export function heal(stack: PulumiStack, vnf: string, vnfcs: readonly string[], run: Run): Promise<Outcome> {
  const token = new Date().toISOString();
  const plan = async (now: Moment): Promise<Operation> => {
    const healed = vnfOf(intentOf(now.settings), vnf);
    const operation = planHeal(now.settings, vnf, vnfcs, token);
    const dead = await keepQuorum(now, healed, vnfcs, run.signal);
    const lost = await outOfSnapshot(stack, now, healed, vnfcs, run.signal);
    const mayGo = vnfcs.includes(ALL) && mayBeUnreachable(healed, await now.state());
    return { ...operation, ...dead, ...lost, ...(mayGo && { env: { [DELETE_UNREACHABLE]: "true" } }) };
  };
  return operate(stack, plan, run);
}

/** Variable of the Kubernetes provider: it treats objects of an unreachable cluster as deleted. */
const DELETE_UNREACHABLE = "PULUMI_K8S_DELETE_UNREACHABLE";

/** The edit for a heal, and the replacements that it allows. */
export function planHeal(
  settings: StackSettings,
  name: string,
  vnfcs: readonly string[],
  token: string,
): Operation {
  const healed = vnfOf(intentOf(settings), name);
  checkVnfcs(healed, vnfcs);
  const isWhole = vnfcs.includes(ALL);
  const refusal = isWorkload(healed.plan) ? undefined : healed.plan.wholeHeal.refusal;
  if (isWhole && refusal !== undefined) throw new Fault(refusal);
  const edits = vnfcs.map((key): Edit => ({ vnf: name, path: ["heal", key], value: token }));
  // the plan refuses a VNFC that cannot be healed
  intentOf(editValue(settings, edits));
  return {
    edits,
    allowance: {
      vnf: name,
      actions: ["replace", "delete"],
      mayGo: ofVnfcs((vnfc) => vnfcs.includes(vnfc)),
      ...(isWhole && !isWorkload(healed.plan) && { whole: [name, ...cnfsOn(name, settings.vnfs as Vims)] }),
    },
  };
}

type Vims = Readonly<Record<string, { readonly vim?: string }>>;

/**
 * Returns true if everything on a cluster that is replaced may be deleted, including its objects if it does not answer.
 * @throws Fault if an earlier version of vnfm created the cluster
 */
function mayBeUnreachable({ name, plan }: IntendedVnf, state: StackState): boolean {
  if (plan.kind !== "kubeadm") return false;
  if (!state.of(name).some(({ kind }) => kind === "evacuation"))
    throw new Fault(
      `${name} does not exist, or was created by an earlier version of vnfm: run 'pulumi up' first`,
    );
  return plan.wholeHeal.evacuate;
}

function checkVnfcs({ name, plan, vnfcs: present }: IntendedVnf, vnfcs: readonly string[]): void {
  // the pods of a CNF are replaced together, the machines of a cluster from a template by groups
  const known = [...(plan.kind === "template" ? present : serversOf(plan).map(({ key }) => key)), ALL];
  for (const vnfc of vnfcs) {
    if (known.includes(vnfc)) continue;
    throw new UsageFault(`${name} has no VNFC "${vnfc}"; ${oneOf(known)}${didYouMean(vnfc, known)}`);
  }
}
