import { majorityOf, mayLeave, VOTES, type Vote } from "../../components/kube/cluster/quorum";
import { serversOf } from "../../components/plan/model";
import { askAll, runScript } from "../checks/ask";
import { linesOf } from "../checks/checks";
import { factsOf } from "../checks/facts";
import { Fault } from "../fault";
import type { IntendedVnf } from "../stack/intent";
import type { Moment } from "../stack/moment";
import type { Script } from "../stack/stack-state";
import { isStopping, emit, type RunOptions } from "../run";
import type { Operation } from "./operation";

/** Time limit for a master to leave, in seconds: one minute more than the limit of the script. */
const LEAVING_SECONDS = 26 * 60;

/** Reads the output of membership.sh for `vote`. */
const readVote = factsOf<{ readonly vote: Vote }>({ properties: { vote: { enum: [...VOTES] } } });

/** State of a cluster's masters in etcd, by key, in the order of their ordinals, in which masters are healed. */
export type Votes = ReadonlyMap<string, Vote>;

/**
 * Checks, before masters of a highly available control plane are healed, that etcd keeps its majority all the time, and
 * that the new masters can join.
 * @returns additions to the heal: kubeadm lets no master join while a member of etcd does not answer, so if several
 * masters are healed, the dead ones leave the cluster before the run, which then replaces one after the other
 * @throws Fault if they cannot be healed in one run, with a possible order
 */
export async function keepQuorum(
  now: Pick<Moment, "state">,
  vnf: IntendedVnf,
  vnfcs: readonly string[],
  signal?: AbortSignal,
): Promise<Pick<Operation, "prepare" | "warnings">> {
  const { name } = vnf;
  const healed = mastersOf(vnf).filter((key) => vnfcs.includes(key));
  if (healed.length === 0) return {};
  const members = await memberScripts(now, vnf);
  const { votes, warnings } = await askVotes(vnf, members, signal);
  if (votes === undefined) return { warnings };
  const fault = quorumFault(name, votes, healed);
  if (fault !== undefined) throw new Fault(fault);
  const first = firstToLeave(votes, healed);
  if (first.length === 0) return {};
  return {
    warnings: [
      `${name}: ${first.join(", ")}: etcd does not answer, so it is removed from etcd before a control-plane node joins`,
    ],
    prepare: (run) => leaveAll(members, first, run),
  };
}

/**
 * Checks that kubeadm will accept a master that joins a highly available control plane.
 * @param first the master that is created first; if it is a member it leaves before
 * @returns warnings about unknown votes
 * @throws Fault if another master must be healed first
 */
export async function assertJoinable(
  now: Pick<Moment, "state">,
  vnf: IntendedVnf,
  first: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { votes, warnings } = await askVotes(vnf, await memberScripts(now, vnf), signal);
  const fault = votes && joinFault(vnf.name, votes, first);
  if (fault !== undefined) throw new Fault(fault);
  return warnings;
}

/** The keys of a cluster's masters, in the order of their ordinals. */
export function mastersOf({ plan }: IntendedVnf): readonly string[] {
  return serversOf(plan).flatMap(({ key, role }) => (role === "master" ? [key] : []));
}

/**
 * The scripts that remove masters from the cluster; none for a single control plane, or for a cluster that does not
 * exist.
 */
async function memberScripts(now: Pick<Moment, "state">, vnf: IntendedVnf): Promise<readonly Script[]> {
  const masters = mastersOf(vnf);
  if (masters.length < 2) return [];
  return (await now.state())
    .scripts(vnf.name, "check")
    .filter(({ script, vnfc }) => script === "membership.sh" && vnfc !== undefined && masters.includes(vnfc));
}

/**
 * @returns a warning if not all votes are known: each master queries etcd itself before it leaves
 */
async function askVotes(
  vnf: IntendedVnf,
  members: readonly Script[],
  signal?: AbortSignal,
): Promise<{ readonly votes?: Votes; readonly warnings: readonly string[] }> {
  if (members.length === 0) return { warnings: [] };
  const unknown = (key: string, why: string) => ({
    warnings: [
      `${vnf.name}: the etcd membership of ${key} is not known, nor whether a control-plane node can join: ${why}. ` +
        `If all control-plane nodes are lost: vnfm restore ${vnf.name}`,
    ],
  });
  const answers = await askAll(members, "vote", signal);
  const silent = answers.find(([, { status }]) => status !== 0);
  if (silent !== undefined) {
    const [{ vnfc = "" }, { stderr }] = silent;
    return unknown(vnfc, linesOf(stderr).at(-1) ?? "the control-plane nodes do not answer");
  }
  const found = new Map(answers.map(([{ vnfc }, { stdout }]) => [vnfc, readVote(stdout).vote]));
  return { votes: new Map(mastersOf(vnf).map((key) => [key, found.get(key) ?? "none"])), warnings: [] };
}

/** The healed masters that leave before the run: the dead ones if several masters join in it. */
export function firstToLeave(votes: Votes, healed: readonly string[]): readonly string[] {
  const joining = [...votes].filter(([key, vote]) => vote === "none" || healed.includes(key));
  return joining.length < 2 ? [] : healed.filter((key) => votes.get(key) === "dead");
}

/**
 * Removes masters from their cluster before the run, with the scripts of the run, which then have nothing to do.
 * @returns a note that they have left, for a later error
 */
export async function leaveAll(
  members: readonly Script[],
  keys: readonly string[],
  run: RunOptions,
): Promise<string> {
  for (const [index, key] of keys.entries()) {
    const gone = keys.slice(0, index);
    emit(run, { kind: "note", text: `${key} leaves the cluster` });
    const member = members.find(({ vnfc }) => vnfc === key);
    if (member === undefined) throw new Fault(`${key} is not a member of the cluster. ${describeGone(gone)}`);
    // a stopped run waits for it: a member must not be left half removed from etcd
    const { status, stderr } = await runScript(member, "delete", LEAVING_SECONDS);
    if (status !== 0) {
      const why = linesOf(stderr).join("\n") || "it took too long";
      throw new Fault(`${key} cannot leave etcd: ${why}\n${describeGone(gone)}`);
    }
    if (isStopping(run)) throw new Fault(`stopped before the update: ${describeGone([...gone, key])}`);
  }
  return describeGone(keys);
}

function describeGone(gone: readonly string[]): string {
  const left =
    gone.length === 0 ? "" : `${gone.join(", ")} left the cluster; run the same command to continue. `;
  return `${left}The stack config is unchanged`;
}

/** The reason why a master that is a member cannot join once it has left; undefined if it can. */
export function joinFault(name: string, votes: Votes, first: string): string | undefined {
  const dead = having(votes, "dead");
  if (dead.every((key) => key === first)) return undefined;
  return `${describeDead(dead)}. First: vnfm heal ${name} ${dead.join(" ")}`;
}

/** The reason why the masters cannot be healed in one run; undefined if they can. */
export function quorumFault(name: string, votes: Votes, healed: readonly string[]): string | undefined {
  const [well, dead] = [new Set(having(votes, "well")), new Set(having(votes, "dead"))];
  const voters = () => well.size + dead.size;
  if (well.size < majorityOf(voters())) {
    return (
      `etcd has no majority: of its ${voters()} members ${[...dead].join(", ")} do not answer. ` +
      `Repair one of them, or re-create the cluster: vnfm heal ${name} all`
    );
  }
  /** Returns the reason why a master cannot leave etcd; if it can, it is counted as left. */
  const leave = (key: string): string | undefined => {
    const others = [...well].filter((other) => other !== key).length;
    if ((well.has(key) || dead.has(key)) && !mayLeave(voters(), others)) {
      if (votes.size === 1)
        return (
          `${key} is the only control-plane node, and etcd cannot be without it: add others first, by the scale level of ` +
          "their aspect"
        );
      return (
        `${key} cannot leave etcd yet: ${others} of ${voters()} members would be healthy, and ${majorityOf(voters())} are the ` +
        `majority. First: vnfm heal ${name} ${[...having(votes, "dead"), ...having(votes, "none")].join(" ")}`
      );
    }
    well.delete(key);
    dead.delete(key);
    return undefined;
  };
  for (const key of firstToLeave(votes, healed)) {
    const fault = leave(key);
    if (fault !== undefined) return fault;
  }
  for (const key of healed) {
    const fault = leave(key);
    if (fault !== undefined) return fault;
    if (dead.size > 0) {
      const all = [...votes.keys()].filter((one) => healed.includes(one) || dead.has(one));
      return `${describeDead([...dead])}. Repair it, or heal it too: vnfm heal ${name} ${all.join(" ")}`;
    }
    well.add(key);
  }
  return undefined;
}

function having(votes: Votes, vote: Vote): readonly string[] {
  return [...votes].flatMap(([key, had]) => (had === vote ? [key] : []));
}

function describeDead(dead: readonly string[]): string {
  return `${dead.join(", ")}: etcd does not answer, and no control-plane node can join while a member of etcd does not answer`;
}
