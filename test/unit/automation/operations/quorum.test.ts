import { firstToLeave, joinFault, leaveAll, quorumFault } from "../../../../automation/operations/quorum";
import type { Vote } from "../../../../components/kube/cluster/quorum";
import { AnsweringHosts } from "../answering-hosts";
import type { RunEvent, RunOptions } from "../../../../automation/run";

const THREE = ["masterNode-1", "masterNode-2", "masterNode-3"];
const FIVE = [...THREE, "masterNode-4", "masterNode-5"];

describe("masters are healed in one run", () => {
  it.each([
    ["two that are alive, of three", THREE, [1, 2], []],
    ["a dead one, of three", THREE, [3], [3]],
    ["a dead one and a live one after it, of three", THREE, [1, 3], [1]],
    ["a live one and a dead one, of five", FIVE, [1, 5], [5]],
    ["two dead ones, of five", FIVE, [2, 4], [2, 4]],
    ["a dead one of three, where two more have not joined yet", FIVE, [2], [2], [4, 5]],
    ["what is left after two have left and their run failed", FIVE, [1, 2, 3], [3], [1, 2]],
  ])("%s", (_, masters, healed, dead, outside: number[] = []) => {
    expect(fault(masters, healed, dead, outside)).toBeUndefined();
  });
});

describe("masters are not healed in one run", () => {
  it.each([
    [
      "a live one before a dead one, of three",
      THREE,
      [1, 3],
      [3],
      "masterNode-1 cannot leave etcd yet: 1 of 2 members would be healthy, and 2 are the majority. First: vnfm heal vnf-a masterNode-3",
    ],
    [
      "a live one beside a dead one that is not healed, of three",
      THREE,
      [2],
      [1],
      "masterNode-2 cannot leave etcd yet: 1 of 3 members would be healthy, and 2 are the majority. First: vnfm heal vnf-a masterNode-1",
    ],
    [
      "a live one beside two dead ones, of five",
      FIVE,
      [1, 4],
      [4, 5],
      "masterNode-1 cannot leave etcd yet: 2 of 4 members would be healthy, and 3 are the majority. First: vnfm heal vnf-a masterNode-4 masterNode-5",
    ],
    [
      "a live one beside a dead one, of five",
      FIVE,
      [1],
      [5],
      "masterNode-5: etcd does not answer, and no control-plane node can join while a member of etcd does not answer. Repair it, or heal it too: vnfm heal vnf-a masterNode-1 masterNode-5",
    ],
    [
      "most of them dead",
      THREE,
      [2],
      [2, 3],
      "etcd has no majority: of its 3 members masterNode-2, masterNode-3 do not answer. Repair one of them, or re-create the cluster: vnfm heal vnf-a all",
    ],
    [
      "one that has not joined beside a dead one, of three",
      FIVE,
      [4],
      [2],
      "masterNode-2: etcd does not answer, and no control-plane node can join while a member of etcd does not answer. Repair it, or heal it too: vnfm heal vnf-a masterNode-2 masterNode-4",
      [4, 5],
    ],
    [
      "the only one",
      FIVE.slice(0, 1),
      [1],
      [],
      "masterNode-1 is the only control-plane node, and etcd cannot be without it: add others first, by the scale level of their aspect",
    ],
    [
      "one of two, before the third has joined",
      THREE,
      [1, 2],
      [],
      "masterNode-1 cannot leave etcd yet: 1 of 2 members would be healthy, and 2 are the majority. First: vnfm heal vnf-a masterNode-2",
      [2],
    ],
  ])("%s", (_, masters, healed, dead, said, outside: number[] = []) => {
    expect(fault(masters, healed, dead, outside)).toBe(said);
  });
});

/** All lists of so many of the values. */
const lists = <T>(values: readonly T[], length: number): readonly (readonly T[])[] =>
  length === 0
    ? [[]]
    : lists(values, length - 1).flatMap((list) => values.map((value) => [...list, value] as const));

/** Returns true if etcd has its majority all the time, and each master joins while all members answer. */
function holds(
  before: ReadonlyMap<string, Vote>,
  first: readonly string[],
  healed: readonly string[],
): boolean {
  const members = new Map([...before].filter(([, vote]) => vote !== "none"));
  const hasMajority = (besides?: string) =>
    2 * [...members].filter(([key, vote]) => vote === "well" && key !== besides).length > members.size;
  const leaves = (key: string) => {
    if (members.has(key) && !hasMajority(key)) return false;
    members.delete(key);
    return true;
  };
  const joins = (key: string) => {
    if ([...members.values()].includes("dead")) return false;
    members.set(key, "well");
    return true;
  };
  return hasMajority() && first.every(leaves) && healed.every((key) => leaves(key) && joins(key));
}

it.each([1, 2, 3, 4, 5])(
  "%i masters in any state are healed in one run exactly if etcd keeps its majority",
  (count) => {
    const masters = FIVE.slice(0, count);
    for (const states of lists<Vote>(["well", "dead", "none"], count)) {
      const before = new Map(masters.map((key, i) => [key, states[i] ?? "none"]));
      for (const chosen of lists([true, false], count)) {
        const healed = masters.filter((_, i) => chosen[i]);
        if (healed.length === 0) continue;
        const isHealed = quorumFault("vnf-a", before, healed) === undefined;
        expect([states, healed, isHealed]).toEqual([
          states,
          healed,
          holds(before, firstToLeave(before, healed), healed),
        ]);
      }
    }
  },
);

it.each([
  ["a dead one alone", [2], [2], []],
  ["dead ones together", [1, 2, 3], [1, 2, 3], [1, 2, 3]],
  ["a live one and a dead one", [1, 2], [2, 4], [2]],
  ["live ones", [1, 2], [], []],
  ["a dead one, where another has not joined yet", [2], [2], [2], [4]],
])(
  "dead masters leave before the run if others join in it: %s",
  (_, healed, dead, first, outside: number[] = []) => {
    expect(firstToLeave(votes(FIVE, dead, outside), keys(healed))).toEqual(keys(first));
  },
);

describe("a master joins", () => {
  it.each([
    ["where all answer", 1, []],
    ["where it is the dead one that leaves before", 2, [2]],
    ["where it has left, and has not come back", 1, [], [1]],
  ])("%s", (_, first, dead, outside: number[] = []) => {
    expect(joinFault("vnf-a", votes(FIVE, dead, outside), `masterNode-${first}`)).toBeUndefined();
  });
});

describe("no master joins", () => {
  it.each([
    ["beside a dead one", 1, [2], "masterNode-2"],
    ["beside the second of two dead ones", 1, [1, 2], "masterNode-1, masterNode-2"],
  ])("%s", (_, first, dead, named) => {
    const said = `${named}: etcd does not answer, and no control-plane node can join while a member of etcd does not answer. First: vnfm heal vnf-a ${named.replace(",", "")}`;
    expect(joinFault("vnf-a", votes(FIVE, dead), `masterNode-${first}`)).toBe(said);
  });
});

describe("masters that leave before the run", () => {
  const hosts = new AnsweringHosts();
  const member = (vnfc: string, answer: string) => ({
    ...{ urn: vnfc, vnf: "vnf-a", vnfc, step: "member", isRepeatable: false },
    ...{ script: "membership.sh" as const, stdin: hosts.answer(vnfc, answer) },
  });
  const well = () => member("masterNode-1", '[ "$1" = delete ]');
  const leave = (last: ReturnType<typeof member>, options: RunOptions = {}) =>
    leaveAll([well(), last], ["masterNode-1", last.vnfc], options);

  it("leave one after the other", async () => {
    await expect(leave(member("masterNode-2", "true"))).resolves.toBe(
      "masterNode-1, masterNode-2 left the cluster; run the same command to continue. The stack config is unchanged",
    );
  });

  it("are all waited for where the run is ended while one leaves", async () => {
    const slow = member("masterNode-2", "sleep 1");
    const stop = new AbortController();
    const onEvent = ({ text }: RunEvent) => {
      if (text === "masterNode-2 leaves the cluster") stop.abort();
    };
    await expect(
      leaveAll([well(), slow], ["masterNode-1", "masterNode-2"], { signal: stop.signal, onEvent }),
    ).rejects.toThrow(
      "stopped before the update: masterNode-1, masterNode-2 left the cluster; run the same command to continue. The stack config is unchanged",
    );
  });

  it("are named where a later one cannot, in its words", async () => {
    const ill = member("masterNode-2", "printf '\\033[31mno majority\\n' >&2; exit 1");
    await expect(leave(ill)).rejects.toThrow(
      "masterNode-2 cannot leave etcd: \\u001b[31mno majority\nmasterNode-1 left the cluster; run the same command to continue. The stack config is unchanged",
    );
  });

  it("are named where the operator stops it", async () => {
    await expect(leave(member("masterNode-2", "true"), { signal: AbortSignal.abort() })).rejects.toThrow(
      "stopped before the update: masterNode-1 left the cluster; run the same command to continue. The stack config is unchanged",
    );
  });
});

const keys = (ordinals: readonly number[]) => ordinals.map((i) => `masterNode-${i}`);

function votes(masters: readonly string[], dead: readonly number[], outside: readonly number[] = []) {
  const voteOf = (key: string): Vote =>
    keys(dead).includes(key) ? "dead" : keys(outside).includes(key) ? "none" : "well";
  return new Map(masters.map((key) => [key, voteOf(key)]));
}

function fault(masters: string[], healed: number[], dead: number[], outside: number[]): string | undefined {
  return quorumFault("vnf-a", votes(masters, dead, outside), keys(healed));
}
