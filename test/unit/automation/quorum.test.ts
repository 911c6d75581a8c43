import { firstToLeave, quorumFault } from "../../../automation/quorum";

const THREE = ["masterNode-1", "masterNode-2", "masterNode-3"];
const FIVE = [...THREE, "masterNode-4", "masterNode-5"];

describe("masters are healed in one run", () => {
  it.each([
    ["two that are alive, of three", THREE, [1, 2], []],
    ["a dead one, of three", THREE, [3], [3]],
    ["a dead one and a live one after it, of three", THREE, [1, 3], [1]],
    ["a live one and a dead one, of five", FIVE, [1, 5], [5]],
    ["two dead ones, of five", FIVE, [2, 4], [2, 4]],
  ])("%s", (_, masters, healed, unwell) => {
    expect(fault(masters, healed, unwell)).toBeUndefined();
  });
});

describe("masters are not healed in one run", () => {
  it.each([
    [
      "a live one before a dead one, of three",
      THREE,
      [1, 3],
      [3],
      "masterNode-1 cannot leave etcd yet: 1 of 3 members would be well, and 2 are the majority. First: vnfm heal vnf-a masterNode-3",
    ],
    [
      "a live one beside a dead one that is not healed, of three",
      THREE,
      [2],
      [1],
      "masterNode-2 cannot leave etcd yet: 1 of 3 members would be well, and 2 are the majority. First: vnfm heal vnf-a masterNode-1",
    ],
    [
      "a live one beside two dead ones, of five",
      FIVE,
      [1, 4],
      [4, 5],
      "masterNode-1 cannot leave etcd yet: 2 of 5 members would be well, and 3 are the majority. First: vnfm heal vnf-a masterNode-4 masterNode-5",
    ],
    [
      "a live one beside a dead one, of five",
      FIVE,
      [1],
      [5],
      "masterNode-5: not well, and no master joins while a member of etcd does not answer. Mend it, or heal it too: vnfm heal vnf-a masterNode-1 masterNode-5",
    ],
    [
      "most of them dead",
      THREE,
      [2],
      [2, 3],
      "masterNode-2, masterNode-3: not well, and etcd has no majority of 3 masters without them. Mend one of them, or make the cluster anew: vnfm heal vnf-a all",
    ],
  ])("%s", (_, masters, healed, unwell, said) => {
    expect(fault(masters, healed, unwell)).toBe(said);
  });
});

it.each([
  ["a dead one alone", [2], [2], []],
  ["dead ones together", [1, 2, 3], [1, 2, 3], [1, 2, 3]],
  ["a live one and a dead one", [1, 2], [2, 4], [2]],
  ["live ones", [1, 2], [], []],
])(
  "of masters that are healed, %s, those that are dead leave first where others join",
  (_, healed, unwell, first) => {
    const members = FIVE.map((vnfc) => {
      return { urn: vnfc, vnf: "vnf-a", vnfc, step: "member", isRepeatable: false, stdin: "" };
    });
    const keys = (ordinals: number[]) => ordinals.map((i) => `masterNode-${i}`);
    const found = firstToLeave(members, { masters: FIVE, healed: keys(healed), unwell: keys(unwell) });
    expect(found.map(({ vnfc }) => vnfc)).toEqual(keys(first));
  },
);

function fault(masters: string[], healed: number[], unwell: number[]): string | undefined {
  const keys = (ordinals: number[]) => ordinals.map((i) => `masterNode-${i}`);
  return quorumFault("vnf-a", { masters, healed: keys(healed), unwell: keys(unwell) });
}
