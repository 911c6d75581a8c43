import schema from "../../../components/settings/cluster-schema.json";
import { ETCD_SIZES, majorityOf, mayLeave } from "../../../components/kube/cluster/quorum";

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
  [6, 4],
  [7, 4],
])("the majority of %i voters is %i", (voters, majority) => {
  expect(majorityOf(voters)).toBe(majority);
});

test.each([
  [1, 0, false],
  [2, 1, false],
  [3, 2, true],
  [3, 1, false],
  [5, 3, true],
  [5, 2, false],
])("with %i voters, %i of them well, one may leave: %s", (voters, others, may) => {
  expect(mayLeave(voters, others)).toBe(may);
});

/** All sets of the numbers from 0 on, below `count`. */
const subsets = (count: number): readonly (readonly number[])[] =>
  Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => bits & (1 << i)),
  );

describe.each([1, 2, 3, 4, 5, 6, 7])("of %i voters, whichever are well", (voters) => {
  const members = Array.from({ length: voters }, (_, i) => i);
  const healths = subsets(voters);

  it("a majority is the smallest number of which any two sets have a member in common", () => {
    const meet = (size: number) => {
      const sets = healths.filter(({ length }) => length === size);
      return sets.every((one) => sets.every((other) => one.some((member) => other.includes(member))));
    };
    const sizes = members.map((member) => member + 1);
    expect(sizes.find(meet)).toBe(majorityOf(voters));
  });

  it("one may leave just where those that stay and are well have every write, and agree without it", () => {
    const acknowledged = healths.filter(({ length }) => 2 * length > voters);
    for (const well of healths) {
      for (const leaving of members) {
        const others = well.filter((one) => one !== leaving);
        const haveAll = acknowledged.every((those) => those.some((one) => others.includes(one)));
        const agree = 2 * others.length > voters;
        expect([well, leaving, mayLeave(voters, others.length)]).toEqual([well, leaving, haveAll && agree]);
      }
    }
  });

  it("the voters that stay go on after it", () => {
    for (const well of healths) {
      if (mayLeave(voters, well.length)) expect(2 * well.length).toBeGreaterThan(voters - 1);
    }
  });
});

it("the schema has the sizes that a cluster by a template may have", () => {
  const { enum: sizes } = schema.definitions.cluster.properties.controlPlane.properties.replicas;
  expect(sizes).toEqual(ETCD_SIZES);
});

it("the schema has a size of clusters for each number of failures that they survive", () => {
  expect(ETCD_SIZES.map((size) => size - majorityOf(size))).toEqual([0, 1, 2, 3]);
  expect(ETCD_SIZES.every((size) => size % 2 === 1)).toBe(true);
});
