import { didYouMean, oneOf } from "../components/nearest";
import { UsageFault } from "./fault";
import { intentOf, vnfOf, type IntendedVnf } from "./intent";
import { operate, type Conduct, type Operation, type Outcome } from "./operation";
import type { PulumiStack } from "./pulumi";
import { editValue, type Edit, type Vnfs } from "./stack-config";

/**
 * Heals VNFCs of a VNF instance: gives each a new token in the stack config, and applies that. A new token
 * replaces the VNFC.
 *
 * @param stack of the project in the current folder
 * @param vnfcs their names, such as `workerNode-2`
 * @throws UsageFault if there is no such VNF instance or VNFC; otherwise as `operate` does
 */
export function heal(
  stack: PulumiStack,
  vnf: string,
  vnfcs: readonly string[],
  conduct: Conduct = {},
): Promise<Outcome> {
  const token = new Date().toISOString();
  return operate(stack, (vnfs) => planHeal(vnfs, vnf, vnfcs, token), conduct);
}

/** The edit that heals; what is healed may be replaced. */
export function planHeal(vnfs: Vnfs, name: string, vnfcs: readonly string[], token: string): Operation {
  checkVnfcs(vnfOf(intentOf(vnfs), name), vnfcs);
  const edits = vnfcs.map((key): Edit => ({ vnf: name, path: ["heal", key], value: token }));
  // a VNFC that cannot be healed is a fault of the config
  intentOf(editValue(vnfs, edits));
  return {
    edits,
    allowance: { vnf: name, actions: ["replace", "delete"], mayGo: (part) => vnfcs.includes(part) },
  };
}

function checkVnfcs({ name, plan }: IntendedVnf, vnfcs: readonly string[]): void {
  const known = plan.servers.map(({ key }) => key);
  if (known.length === 0) {
    throw new UsageFault(`${name} has no servers to heal; the pods of a CNF are healed by their cluster`);
  }
  for (const vnfc of vnfcs) {
    if (known.includes(vnfc)) continue;
    throw new UsageFault(`${name} has no VNFC "${vnfc}"; ${oneOf(known)}${didYouMean(vnfc, known)}`);
  }
}
