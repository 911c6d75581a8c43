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

  const deltas = "deltas: { d1: { number_of_instances: 1 }, d2: { number_of_instances: 2 } }";
  const initial = "initial_delta: { number_of_instances: 1 }";
  test.each<[string, [string, string][], string[]]>([
    ["numbers that agree", [], []],
    [
      "an instantiation level of another number than its scale levels give",
      [["small: { number_of_instances: 1 }", "small: { number_of_instances: 2 }"]],
      [
        "vnfd.yaml:86: vduLevels: properties.levels.small.number_of_instances: 2 for VDU1 contradicts 1, its initial delta and the deltas up to the scale levels in the scale_info of small; 2 holds, and scaling counts from it",
      ],
    ],
    [
      "an instantiation level without scale_info",
      [[", scale_info: { aspect1: { scale_level: 2 } }", ""]],
      [
        "vnfd.yaml:86: vduLevels: properties.levels.big.number_of_instances: 4 for VDU1 contradicts 1, its initial delta and the deltas up to the scale levels in the scale_info of big; 4 holds, and scaling counts from it",
      ],
    ],
    [
      "instantiation levels outside of the profile",
      [
        [
          "small: { number_of_instances: 1 }, big: { number_of_instances: 4 }",
          "small: { number_of_instances: 0 }, big: { number_of_instances: 5 }",
        ],
      ],
      [
        "vnfd.yaml:86: vduLevels: properties.levels.small.number_of_instances: 0 for VDU1 is less than min_number_of_instances, 1",
        "vnfd.yaml:86: vduLevels: properties.levels.big.number_of_instances: 5 for VDU1 is more than max_number_of_instances, 4",
      ],
    ],
    [
      "a highest scale level outside of the profile",
      [[deltas, deltas.replace("2 }", "3 }")]],
      [
        "vnfd.yaml:25: VDU1: properties.vdu_profile: the highest scale level of aspect1, 2, gives VDU1 5 instances, which is more than max_number_of_instances, 4",
        "vnfd.yaml:86: vduLevels: properties.levels.big.number_of_instances: 4 for VDU1 contradicts 5, its initial delta and the deltas up to the scale levels in the scale_info of big; 4 holds, and scaling counts from it",
      ],
    ],
    [
      "an initial delta outside of the profile",
      [[initial, "initial_delta: { number_of_instances: 0 }"]],
      [
        "vnfd.yaml:25: VDU1: properties.vdu_profile: the initial delta of VDU1, 0, is less than min_number_of_instances, 1",
        "vnfd.yaml:86: vduLevels: properties.levels.small.number_of_instances: 1 for VDU1 contradicts 0, its initial delta and the deltas up to the scale levels in the scale_info of small; 1 holds, and scaling counts from it",
        "vnfd.yaml:86: vduLevels: properties.levels.big.number_of_instances: 4 for VDU1 contradicts 3, its initial delta and the deltas up to the scale levels in the scale_info of big; 4 holds, and scaling counts from it",
      ],
    ],
    [
      "an aspect without deltas",
      [
        [
          "            aspect1: {",
          "            other: { name: o, description: o, max_scale_level: 1 }\n            aspect1: {",
        ],
      ],
      [
        "vnfd.yaml:66: aspects: properties.aspects.other: no VduScalingAspectDeltas refer to this aspect: scaling it changes no VDU",
      ],
    ],
  ])("warnings: %s", (_, changes, expected) => {
    expect(flavour(packageOf(replaced(...changes))).warnings).toEqual(expected);
  });

  test("a rule on VDUs holds for each among its own instances", () => {
    const second = `    VDU2:
      type: tosca.nodes.nfv.Vdu.Compute
      properties: { name: two, vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 1 } }
`;
    const groups = (targets: string, members = "[ VDU1 ]") =>
      flavour(
        packageOf(
          replaced(
            ["  groups:\n", `${second}  groups:\n`],
            ["members: [ VDU1 ]", `members: ${members}`],
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
