import { flavour, packageOf, replaced } from "./support";

describe("scaling and placement", () => {
  const steps = "step_deltas: [ d1, d2 ]";
  test.each<[string, [string, string][], number[]]>([
    ["one delta per level", [], [1, 2]],
    ["one for all levels", [[steps, "step_deltas: [ d2 ]"]], [2, 2]],
    [
      "none named, the only one is for all",
      [
        [", " + steps, ""],
        [
          "{ d1: { number_of_instances: 1 }, d2: { number_of_instances: 2 } }",
          "{ any: { number_of_instances: 3 } }",
        ],
      ],
      [3, 3],
    ],
  ])("deltas: %s", (_, changes, expected) => {
    expect(flavour(packageOf(replaced(...changes))).scalingAspects["aspect1"]?.deltas).toEqual({
      VDU1: expected,
    });
  });

  test("the only level is the default one; of several, none is", () => {
    const levelBig = "            big: { description: Big, scale_info: { aspect1: { scale_level: 2 } } }\n";
    const noDefault = ["          default_level: small\n", ""] as const;
    const without = [levelBig, ""] as const;
    const vdu = [", big: { number_of_instances: 4 }", ""] as const;
    expect(flavour(packageOf(replaced(noDefault))).defaultInstantiationLevel).toBeUndefined();
    expect(flavour(packageOf(replaced(noDefault, without, vdu))).defaultInstantiationLevel).toBe("small");
  });

  test("a rule on VDUs holds for each among its own instances", () => {
    const second = `    VDU2:
      type: tosca.nodes.nfv.Vdu.Compute
      properties: { name: two, vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 1 } }
`;
    const groups = (targets: string, members = "[ VDU1, VL1 ]") =>
      flavour(
        packageOf(
          replaced(
            ["  groups:\n", `${second}  groups:\n`],
            ["members: [ VDU1, VL1 ]", `members: ${members}`],
            ["targets: [ group1 ]", `targets: ${targets}`],
          ),
        ),
      ).placementGroups.map((g) => [g.id, g.vdus]);
    expect(groups("[ VDU1, VDU2 ]")).toEqual([
      ["apart_VDU1", ["VDU1"]],
      ["apart_VDU2", ["VDU2"]],
    ]);
    expect(groups("[ group1 ]", "[ VDU1, VDU2 ]")).toEqual([["apart", ["VDU1", "VDU2"]]]);
    expect(groups("[ VL1 ]")).toEqual([]);
  });
});
