import { askAll } from "./ask";
import { checksOf, type Script } from "./checks";
import { Fault } from "./fault";
import type { IntendedVnf } from "./intent";
import { assertFree } from "./lock";
import type { Operation } from "./operation";
import type { PulumiStack } from "./pulumi";
import { runProgram } from "./run-program";

/** More than the script's own limit. */
const LEAVING_SECONDS = 26 * 60;

/**
 * Asks a cluster of several masters, before some of them are healed, whether etcd keeps its majority all the time.
 * A cluster that does not answer is left to the run, each of whose masters asks etcd itself before it leaves.
 *
 * @returns what the heal needs besides its tokens: kubeadm lets no master join while a member of etcd does not answer,
 * so of several masters those that are not well leave the cluster before the run, where one comes after the other
 * @throws Fault where they cannot be healed in one run, with the way in which they can
 */
export async function keepQuorum(
  stack: PulumiStack,
  { name, plan: { cluster } }: IntendedVnf,
  vnfcs: readonly string[],
  signal?: AbortSignal,
): Promise<Pick<Operation, "prepare" | "warnings">> {
  const masters = cluster?.master.servers.map(({ key }) => key) ?? [];
  const healed = masters.filter((key) => vnfcs.includes(key));
  if (masters.length === 1 || healed.length === 0) return {};
  assertFree(stack);
  const members = checksOf(await stack.exportPlain(), name).filter(
    ({ step, vnfc }) => step === "member" && vnfc !== undefined && masters.includes(vnfc),
  );
  const answers = await askAll(members, "check", signal);
  if (answers.some(([, { status }]) => status !== 0)) return {};
  const unwell = answers.filter(([, { stdout }]) => stdout.trim() !== "").map(([{ vnfc = "" }]) => vnfc);
  const fault = quorumFault(name, { masters, healed, unwell });
  if (fault !== undefined) throw new Fault(fault);
  const first = firstToLeave(members, { masters, healed, unwell });
  if (first.length === 0) return {};
  const said = first.map(({ vnfc }) => vnfc).join(", ");
  return {
    warnings: [`${name}: ${said}: not well, and out of etcd before a master joins`],
    prepare: async () => {
      for (const script of first) await leave(script, signal);
    },
  };
}

/** The memberships of masters that are not well and healed with others. */
export function firstToLeave(members: readonly Script[], { healed, unwell }: Masters): readonly Script[] {
  if (healed.length < 2) return [];
  return members.filter(({ vnfc = "" }) => healed.includes(vnfc) && unwell.includes(vnfc));
}

/** As the run would have it, where there is nothing left to do for it then. */
async function leave({ vnfc, stdin: input }: Script, signal?: AbortSignal): Promise<void> {
  const how = { input, seconds: LEAVING_SECONDS };
  const { status, stderr } = await runProgram("bash", ["-s", "delete"], how, signal);
  if (status !== 0)
    throw new Fault(`${vnfc} cannot leave etcd: ${stderr.trim()}\nThe stack config is as it was`);
}

/** Masters of a cluster by their key, each list in the order of their ordinals, in which they leave and come back. */
export interface Masters {
  readonly masters: readonly string[];
  readonly healed: readonly string[];
  /** Those that are not Ready, have no vote in etcd, or do not answer there. */
  readonly unwell: readonly string[];
}

/** Why the masters cannot be healed in one run; undefined where they can. */
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
  const left = unwell.filter((key) => !healed.includes(key));
  if (left.length === 0) return undefined;
  const all = masters.filter((key) => healed.includes(key) || left.includes(key));
  return (
    `${left.join(", ")}: not well, and no master joins while a member of etcd does not answer. ` +
    `Mend it, or heal it too: vnfm heal ${name} ${all.join(" ")}`
  );
}
