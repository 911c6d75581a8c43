import { askAll } from "./ask";
import { checksOf } from "./checks";
import { Fault } from "./fault";
import type { IntendedVnf } from "./intent";
import { assertFree } from "./lock";
import type { PulumiStack } from "./pulumi";

/**
 * Asks a cluster of several masters, before some of them are healed, whether etcd keeps its majority all the time.
 * A cluster that does not answer is left to the run, each of whose masters asks etcd itself before it leaves.
 *
 * @throws Fault where it would not, with the order in which they can be healed
 */
export async function assertQuorum(
  stack: PulumiStack,
  { name, plan: { cluster } }: IntendedVnf,
  vnfcs: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const masters = cluster?.master.servers.map(({ key }) => key) ?? [];
  const healed = masters.filter((key) => vnfcs.includes(key));
  if (masters.length === 1 || healed.length === 0) return;
  assertFree(stack);
  const members = checksOf(await stack.exportPlain(), name).filter(
    ({ step, vnfc }) => step === "member" && vnfc !== undefined && masters.includes(vnfc),
  );
  const answers = await askAll(members, "check", signal);
  if (answers.some(([, { status }]) => status !== 0)) return;
  const unwell = answers.filter(([, { stdout }]) => stdout.trim() !== "").map(([{ vnfc = "" }]) => vnfc);
  const fault = quorumFault(name, { masters, healed, unwell });
  if (fault !== undefined) throw new Fault(fault);
}

/** Masters of a cluster by their key, each list in the order of their ordinals, in which they leave and come back. */
export interface Masters {
  readonly masters: readonly string[];
  readonly healed: readonly string[];
  /** Those that are not Ready, or have no vote in etcd. */
  readonly unwell: readonly string[];
}

/** Why the masters cannot be healed in one run; undefined where etcd keeps its majority. */
export function quorumFault(name: string, { masters, healed, unwell }: Masters): string | undefined {
  const majority = Math.floor(masters.length / 2) + 1;
  const well = new Set(masters.filter((key) => !unwell.includes(key)));
  if (well.size < majority) {
    return (
      `${unwell.join(", ")}: not well, and etcd has no majority of ${masters.length} masters without them. ` +
      `Mend one of them, or make the cluster anew: vnfm heal ${name} all`
    );
  }
  for (const key of healed) {
    const others = [...well].filter((other) => other !== key).length;
    if (others < majority) {
      const dead = unwell.filter((other) => !well.has(other));
      return (
        `${key} cannot leave etcd yet: ${others} of ${masters.length} members would be well, and ${majority} are ` +
        `the majority. First: vnfm heal ${name} ${dead.join(" ")}`
      );
    }
    well.add(key);
  }
  return undefined;
}
