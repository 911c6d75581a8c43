import type { Script } from "../stack/stack-state";
import { linesOf, type Finding } from "./checks";
import type { ProgramResult } from "./run-program";

/**
 * Findings about virtual addresses that several load balancers of an instance hold at once, so that clients reach any
 * of them. A server that does not answer has another finding already.
 */
export function holderFindings(answers: readonly (readonly [Script, ProgramResult])[]): readonly Finding[] {
  const holders = new Map<string, { readonly address: string; readonly scripts: Script[] }>();
  for (const [script, { status, stdout }] of answers) {
    if (status !== 0) continue;
    for (const address of linesOf(stdout)) {
      const key = `${script.vnf} ${address}`;
      const known = holders.get(key) ?? { address, scripts: [] };
      known.scripts.push(script);
      holders.set(key, known);
    }
  }
  return [...holders.values()].flatMap(({ address, scripts: [first, ...others] }): readonly Finding[] => {
    if (first === undefined || others.length === 0) return [];
    const { urn, vnf, step } = first;
    const all = [first, ...others].map(({ vnfc }) => vnfc).join(" and ");
    const text =
      `the virtual address ${address} is on several servers, ${all}: they do not receive each other's VRRP packets; allow VRRP, IP protocol 112, ` +
      "between them in security groups and firewalls";
    return [{ urn, vnf, step, kind: "differs", text }];
  });
}
