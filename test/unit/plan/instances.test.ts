import { limits } from "../../../components/base/limits";
import { instanceCounts, areTooMany } from "../../../components/plan/instances";
import type { VnfSettings } from "../../../components/settings/model";
import type { DeploymentFlavour } from "../../../components/vnfd/model";
import { aspect, clusterFlavour, flavour, vdu, vnfSettings } from "../fixtures";
import { placeOf } from "../places";

function counts(of: DeploymentFlavour, settings: Partial<VnfSettings> = {}) {
  const place = placeOf("vnf");
  return { counts: instanceCounts(place, vnfSettings(settings), of), faults: place.findings.texts };
}

const levels = {
  instantiationLevels: {
    small: {
      id: "small",
      scaleLevels: { worker_instance: 0 },
      instances: { workerNode: 2 },
    },
    large: {
      id: "large",
      scaleLevels: { worker_instance: 2 },
      instances: { workerNode: 4 },
    },
  },
  defaultInstantiationLevel: "small",
};

describe("instanceCounts", () => {
  it("is the initial delta where nothing is scaled", () => {
    expect(counts(clusterFlavour()).counts).toEqual({ masterNode: 1, workerNode: 2 });
  });

  it("adds a surge, to a scale level and to a number that the instantiation level gives", () => {
    const surge = { worker_instance: 1 };
    expect(counts(clusterFlavour(), { scale: { worker_instance: 1 }, surge }).counts["workerNode"]).toBe(
      counts(clusterFlavour(), { scale: { worker_instance: 2 } }).counts["workerNode"] ?? 0,
    );
    expect(counts(clusterFlavour(levels), { surge }).counts["workerNode"]).toBe(3);
    expect(
      counts(clusterFlavour(), { scale: { worker_instance: 0 }, surge: { worker_instance: 999 } }).faults[0],
    ).toContain("vnf.surge.worker_instance: scale level 999 is above the VNFD's max_scale_level");
  });

  it("adds the deltas of every level up to the wanted one", () => {
    const uneven = flavour({
      vdus: { a: vdu("a", { initialInstances: 1 }) },
      scalingAspects: { out: aspect("out", { a: [1, 3, 5] }) },
    });
    expect([0, 1, 2, 3].map((level) => counts(uneven, { scale: { out: level } }).counts["a"])).toEqual([
      1, 2, 5, 10,
    ]);
  });

  it.each(["constructor", "__proto__"])("counts a VDU %s beside an aspect and a level of others", (id) => {
    const of = clusterFlavour({
      ...levels,
      vdus: Object.fromEntries([
        ...Object.entries(clusterFlavour().vdus),
        [id, vdu(id, { initialInstances: 1 })],
      ]),
    });
    expect(counts(of, { scale: { worker_instance: 1 } })).toEqual({
      counts: Object.fromEntries([
        ["masterNode", 1],
        ["workerNode", 3],
        [id, 1],
      ]),
      faults: [],
    });
  });

  it("follows the default instantiation level, and the one that is chosen", () => {
    expect(counts(clusterFlavour(levels)).counts["workerNode"]).toBe(2);
    expect(counts(clusterFlavour(levels), { instantiationLevel: "large" }).counts["workerNode"]).toBe(4);
  });

  it("lets a scale level win over the instantiation level", () => {
    const settings = { instantiationLevel: "large", scale: { worker_instance: 1 } };
    expect(counts(clusterFlavour(levels), settings).counts["workerNode"]).toBe(3);
  });

  describe("of an instantiation level that gives another number than its scale levels", () => {
    const of = (level: object) =>
      flavour({
        vdus: { a: vdu("a", { initialInstances: 1, minInstances: 1, maxInstances: 9 }) },
        scalingAspects: { out: aspect("out", { a: [1, 2, 4] }) },
        instantiationLevels: { l: { id: "l", scaleLevels: { out: 1 }, instances: { a: 4 }, ...level } },
        defaultInstantiationLevel: "l",
      });
    const at = (level: object, out: number) => counts(of(level), { scale: { out } }).counts["a"];

    it("counts other scale levels from there", () => {
      expect([1, 2, 3].map((out) => at({}, out))).toEqual([4, 6, 10]);
      expect(counts(of({})).counts["a"]).toBe(4);
      expect(at({}, 0)).toBe(3);
      expect(counts(of({}), { surge: { out: 1 } }).counts["a"]).toBe(6);
    });

    it("takes it for scale level 0 where there is no scale_info", () => {
      expect([0, 1, 2].map((out) => at({ scaleLevels: {} }, out))).toEqual([4, 5, 7]);
    });

    it("refuses less than none", () => {
      const settings = { scale: { out: 0 } };
      expect(counts(of({ scaleLevels: { out: 3 } }), settings).faults).toEqual([
        "vnf.scale: VDU a would have -3 instances; its vdu_profile allows 1 to 9",
      ]);
    });
  });

  it("refuses unknown aspects, levels above the maximum and unknown instantiation levels, all at once", () => {
    const settings = { instantiationLevel: "medium", scale: { worker_instanse: 1, master_instance: 9 } };
    expect(counts(clusterFlavour(levels), settings).faults).toEqual([
      'vnf.instantiationLevel: "medium" is not one of large, small',
      'vnf.scale.worker_instanse: is not a scaling aspect of the VNFD; one of master_instance, worker_instance; did you mean "worker_instance"?',
      "vnf.scale.master_instance: scale level 9 is above the VNFD's max_scale_level 2",
    ]);
  });

  it("names what the VNFD lacks: instantiation levels, and deltas of an aspect", () => {
    const lacking = clusterFlavour({ scalingAspects: { out: { id: "out", maxScaleLevel: 0, deltas: {} } } });
    expect(counts(lacking, { instantiationLevel: "l1", scale: { out: 1 } }).faults).toEqual([
      'vnf.instantiationLevel: there is no "l1"; none is defined',
      "vnf.scale.out: scale level 1 cannot be reached: the VNFD has no VduScalingAspectDeltas for the aspect, or not all of its step_deltas",
    ]);
    expect(counts(lacking, { scale: { out: 0 } }).faults).toEqual([]);
  });

  it("refuses a count outside of the vdu_profile", () => {
    const narrow = clusterFlavour({
      vdus: { workerNode: vdu("workerNode", { initialInstances: 2, maxInstances: 3 }) },
    });
    expect(counts(narrow, { scale: { worker_instance: 2 } }).faults).toEqual([
      "vnf.scale: VDU workerNode would have 4 instances; its vdu_profile allows 0 to 3",
    ]);
    expect(counts({ ...narrow, ...levels }, { instantiationLevel: "large" }).faults).toEqual([
      "vnf.instantiationLevel: VDU workerNode would have 4 instances; its vdu_profile allows 0 to 3",
    ]);
    expect(counts({ ...narrow, ...levels, defaultInstantiationLevel: "large" }).faults).toEqual([
      "vnf: VDU workerNode would have 4 instances; its vdu_profile allows 0 to 3",
    ]);
  });
});

describe("areTooMany", () => {
  it("takes as many as the limit, and tells the VDU that has most of more", () => {
    const place = placeOf("vnf");
    expect(areTooMany(place, { a: limits.instances - 1, b: 1 })).toBe(false);
    expect(place.findings.texts).toEqual([]);
    expect(areTooMany(place, { a: 7, b: 20_000_000 })).toBe(true);
    expect(place.findings.texts).toEqual([
      "vnf: would have 20000007 VNFCs, 20000000 of them of VDU b; at most 10000 are allowed: lower scale or instantiationLevel, or the numbers of the VNFD",
    ]);
  });
});
