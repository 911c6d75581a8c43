import { didYouMean, oneOf } from "../components/nearest";
import { UsageFault } from "./fault";
import { intentOf, vnfOf, type IntendedVnf } from "./intent";
import { operate, type Conduct, type Operation, type Outcome } from "./operation";
import type { PulumiStack } from "./pulumi";
import type { Edit, Vnfs } from "./stack-config";

/**
 * Heals VNFCs of a VNF instance: gives each a new token in the stack config, and applies that. A new token
 * replaces the VNFC.
 *
 * @param stack of the project in the current folder
 * @param vnfcs their names; `all` is the whole VNF instance
 * @throws UsageFault if there is no such VNF instance or VNFC; otherwise as `operate` does
 */
export function heal(
  stack: PulumiStack,
  vnf: string,
  vnfcs: readonly string[] | "all",
  conduct: Conduct = {},
): Promise<Outcome> {
  const token = new Date().toISOString();
  return operate(stack, (vnfs) => planHeal(vnfs, vnf, vnfcs, token), conduct);
}

/** The edit that heals; what is healed may be replaced, and with a whole cluster the CNFs on it. */
export function planHeal(
  vnfs: Vnfs,
  name: string,
  vnfcs: readonly string[] | "all",
  token: string,
): Operation {
  const intent = intentOf(vnfs);
  const vnf = vnfOf(intent, name);
  const keys = vnfcs === "all" ? ["all"] : vnfcs;
  if (vnfcs !== "all") checkVnfcs(vnf, vnfcs);
  const edits = keys.map((key): Edit => ({ vnf: name, setting: "heal", key, value: token }));
  const parts = vnfcs === "all" ? [] : vnfcs.flatMap((vnfc) => partsOf(vnf, vnfc));
  const landed = [...intent.values()].filter(
    ({ plan: { cnf } }) => cnf !== undefined && "vnf" in cnf.vim && cnf.vim.vnf === name,
  );
  return {
    edits,
    allowance: {
      vnf: name,
      actions: ["replace", "delete"],
      mayGo: (part) => parts.includes(part),
      whole: vnfcs === "all" ? [name, ...landed.map((cnf) => cnf.name)] : [],
    },
  };
}

function checkVnfcs({ name, vnfcs: known }: IntendedVnf, vnfcs: readonly string[]): void {
  for (const vnfc of vnfcs) {
    if (known.includes(vnfc)) continue;
    throw new UsageFault(`${name} has no VNFC "${vnfc}"; all, or ${oneOf(known)}${didYouMean(vnfc, known)}`);
  }
}

/** The server of a VNFC, or its pod controller. */
function partsOf({ plan }: IntendedVnf, vnfc: string): readonly string[] {
  const controllers = plan.cnf?.plan.vnfcs.filter(({ vdu }) => vdu === vnfc) ?? [];
  return [vnfc, ...controllers.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)];
}
