import { flavour, packageOf, replaced } from "./support";

const STEPS = "step_deltas: [ d1, d2 ]";
const changed = (...changes: [string, string][]) => flavour(packageOf(replaced(...changes)));

test.each<[string, [string, string][], string[]]>([
  [
    "a mapped node that is not there",
    [["virtual_link_ext: [ CP1, virtual_link ]", "a: [ CP1, virtual_link ]\n      b: [ CP9, virtual_link ]"]],
    [
      'vnfd.yaml:19: topology_template.substitution_mappings.requirements.b[0]: is ignored: there is no connection point or virtual link "CP9"; there is CP2, VL1',
    ],
  ],
  [
    "a connection point without a binding",
    [["        - virtual_binding: VDU1\n", "        - other: VDU1\n"]],
    [
      "vnfd.yaml:44: CP1: requirements.virtual_binding: is missing: no server has a port of it",
      "vnfd.yaml:44: CP1: requirements[0].other: it is not supported",
    ],
  ],
  [
    "an internal link that a VnfExtCp has not",
    [
      ["[ CP1, virtual_link ]", "[ EXT, external_virtual_link ]"],
      [
        "    VL1:\n",
        "    EXT: { type: tosca.nodes.nfv.VnfExtCp, requirements: [ internal_virtual_link: VL ] }\n    VL1:\n",
      ],
    ],
    [
      'vnfd.yaml:51: EXT: requirements[0].internal_virtual_link: is ignored: there is no virtual link "VL"; there is VL1',
    ],
  ],
  [
    "an internal link that a connection point has not",
    [["virtual_link: { node: VL1 }", "virtual_link: { node: VL2 }"]],
    [
      'vnfd.yaml:50: CP2: requirements[1].virtual_link.node: is ignored: there is no virtual link "VL2"; there is VL1',
      "vnfd.yaml:52: VL1: no connection point is on it, so no network is created",
    ],
  ],
  [
    "a step that has no delta",
    [[STEPS, "step_deltas: [ d1, dx ]"]],
    [
      'vnfd.yaml:66: aspects: properties.aspects.aspect1.step_deltas[1]: the aspect cannot be scaled: there is no delta "dx" in deltas; there is d1, d2',
    ],
  ],
  [
    "no deltas",
    [["deltas: { d1: { number_of_instances: 1 }, d2: { number_of_instances: 2 } }", "deltas: {}"]],
    ["vnfd.yaml:71: deltas: properties.deltas: the aspect cannot be scaled: there is no delta"],
  ],
  [
    "an aspect that is not there, in deltas and in scale_info",
    [
      ["aspect: aspect1", "aspect: aspekt1"],
      [
        "scale_info: { aspect1: { scale_level: 0 } }",
        "scale_info: { aspect1: { scale_level: 0 }, aspekt1: { scale_level: 9 } }",
      ],
    ],
    [
      'vnfd.yaml:70: deltas: properties.aspect: is ignored: there is no scaling aspect "aspekt1"; did you mean "aspect1"?',
      'vnfd.yaml:81: levels: properties.levels.small.scale_info.aspekt1: is ignored: there is no scaling aspect "aspekt1"; there is no other',
      "vnfd.yaml:66: aspects: properties.aspects.aspect1: no VduScalingAspectDeltas refer to this aspect: scaling it changes no VDU",
    ],
  ],
  [
    "instances at a level that is not there",
    [["{ levels: { small: {", "{ levels: { medium: { number_of_instances: 1 }, small: {"]],
    [
      'vnfd.yaml:86: vduLevels: properties.levels.medium: is ignored: there is no instantiation level "medium"; there is no other',
    ],
  ],
  [
    "targets that are not there",
    [
      [
        "{ number_of_instances: 1 } }\n        targets: [ VDU1 ]",
        "{ number_of_instances: 1 } }\n        targets: [ VDU1, VDU_1 ]",
      ],
    ],
    ['vnfd.yaml:76: initial: targets[1]: is ignored: there is no VDU "VDU_1"; there is no other'],
  ],
  [
    "a scope that is none",
    [["scope: nfvi_node", "scope: rack"]],
    [
      'vnfd.yaml:90: apart: properties.scope: "rack" is not one of nfvi_node, zone, zone_group, nfvi_pop, network_link_and_node, container_namespace, cis_node, cluster',
    ],
  ],
  [
    "a policy type of a later SOL001",
    [["    - apart:", "    - later: { type: tosca.policies.nfv.EnergyEfficiency }\n    - apart:"]],
    ["vnfd.yaml:88: later: a policy of the type tosca.policies.nfv.EnergyEfficiency is not supported"],
  ],
])("a warning: %s", (_, changes, expected) => {
  expect(changed(...changes).warnings).toEqual(expected);
});

test("an aspect that has not all of its deltas has no scale level, and the levels of the VNF have none of it", () => {
  const { scalingAspects, instantiationLevels } = changed([STEPS, "step_deltas: [ d1, dx ]"]);
  expect(scalingAspects).toEqual({ aspect1: { id: "aspect1", maxScaleLevel: 0, deltas: {} } });
  expect(instantiationLevels["big"]).toEqual({ id: "big", scaleLevels: {}, instances: { VDU1: 4 } });
});

test("settings beside a slip apply", () => {
  const { connectionPoints, instantiationLevels } = changed(
    ["[ CP1, virtual_link ]", "[ [ CP9, virtual_link ], [ CP1, virtual_link ] ]"],
    ["{ aspect1: { scale_level: 2 } }", "{ aspect1: { scale_level: 2 }, aspect2: { scale_level: 1 } }"],
  );
  expect(connectionPoints["CP1"]?.externalLink).toBe("virtual_link_ext");
  expect(instantiationLevels["big"]?.scaleLevels).toEqual({ aspect1: 2 });
});
