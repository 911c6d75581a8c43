/** The operations on a cluster whose workers are several pools: the nodes of all of them are workers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planHeal } from "../../../../automation/operations/heal";
import { planScale } from "../../../../automation/operations/scale";
import { planUpgrade } from "../../../../automation/operations/upgrade";
import type { UpgradeRequest } from "../../../../automation/operations/upgrade-check";
import { intentOf } from "../../../../automation/stack/intent";
import type { Vnfs } from "../../../../automation/stack/stack-config";
import { statusOf } from "../../../../automation/stack/status";
import { topologyOf } from "../../../../automation/topology/graph";
import { drawText } from "../../../../automation/topology/text";
import { changedPoolsPackage } from "../../../support/cluster-package";
import { POOLS_PACKAGE, poolsVnf } from "../../../support/configs";
import { inRepository } from "../in-repository";
import { vnfcsToGo } from "../subjects";

const folder = mkdtempSync(join(tmpdir(), "vnfm-pools-"));
afterAll(() => rmSync(folder, { recursive: true }));

const vnfs = (workers: number, gpus: number, installation: object = {}) =>
  ({ v: poolsVnf(POOLS_PACKAGE, workers, gpus, installation) }) as unknown as Vnfs;

test("a scale of the second pool lets its nodes go, and no others", () => {
  const out = planScale(inRepository({ vnfs: vnfs(2, 1) }), "v", [{ aspect: "gpu_instance", by: 1 }]);
  expect(out.edits).toEqual([{ vnf: "v", path: ["scale", "gpu_instance"], value: 1 }]);
  const { edits, allowance } = planScale(inRepository({ vnfs: vnfs(2, 2) }), "v", [
    { aspect: "gpu_instance", level: 0 },
  ]);
  expect(edits).toEqual([{ vnf: "v", path: ["scale", "gpu_instance"], value: 0 }]);
  expect(allowance.actions).toEqual(["delete"]);
  const all = ["masterNode-1", "workerNode-1", "workerNode-2", "gpuNode-1", "gpuNode-2"];
  expect(vnfcsToGo(allowance, all)).toEqual(["gpuNode-2"]);
});

test("heal tokens go with the nodes that a scale takes away, and only these", () => {
  const edits = (heal: object) => {
    const { v } = vnfs(2, 2);
    return planScale(inRepository({ vnfs: { v: { ...v, heal } } }), "v", [
      { aspect: "gpu_instance", level: 0 },
    ]).edits;
  };
  const scaled = { vnf: "v", path: ["scale", "gpu_instance"], value: 0 };
  const others = { "gpuNode-1": "today", "workerNode-1": "today" };
  expect(edits(others)).toEqual([scaled]);
  expect(edits({ ...others, "gpuNode-2": "today" })).toEqual([
    scaled,
    { vnf: "v", path: ["heal", "gpuNode-2"], value: undefined },
  ]);
  expect(edits({ "gpuNode-2": "today" })).toEqual([scaled, { vnf: "v", path: ["heal"], value: undefined }]);
});

test("a node of the second pool is healed as any", () => {
  const { edits, allowance } = planHeal(inRepository({ vnfs: vnfs(1, 1) }), "v", ["gpuNode-1"], "today");
  expect(edits).toEqual([{ vnf: "v", path: ["heal", "gpuNode-1"], value: "today" }]);
  expect(vnfcsToGo(allowance, ["workerNode-1", "gpuNode-1"])).toEqual(["gpuNode-1"]);
});

describe("an upgrade", () => {
  const [FROM, TO] = ["v1.33.0", "v1.34.4"];
  const IMAGES = Object.fromEntries(
    ["masterNode", "workerNode", "gpuNode"].map((vdu) => [vdu, `kube-${TO}`]),
  );
  const plan = (request: Partial<UpgradeRequest>, from = vnfs(2, 3, { kubernetes_version: FROM })) =>
    planUpgrade(
      inRepository({ vnfs: from }),
      "v",
      { images: IMAGES, batch: 2, surge: 0, ...request },
      new Set(["masterNode-1", "workerNode-1", "workerNode-2", "gpuNode-1", "gpuNode-2", "gpuNode-3"]),
      new Map(),
    );
  const runs = (...args: Parameters<typeof plan>) =>
    plan(...args)
      .map(({ what }) => what)
      .slice(1);
  const BATCHES = ["workerNode-1, workerNode-2", "gpuNode-1, gpuNode-2", "gpuNode-3"];

  it("replaces the workers of all pools in batches", () => {
    expect(runs({ to: TO })).toEqual(["masterNode-1", ...BATCHES]);
    expect(runs({ images: { gpuNode: "other" } })).toEqual(BATCHES.slice(1));
  });

  it("gives each pool whose nodes are replaced a surge, and takes it away", () => {
    const surge = (request: Partial<UpgradeRequest>) => {
      const steps = plan({ surge: 1, ...request });
      const [begin, end] = [steps.find(({ what }) => what === "a surge of 1"), steps.at(-1)];
      const went = vnfcsToGo(end?.allowance, ["workerNode-2", "workerNode-3", "gpuNode-3", "gpuNode-4"]);
      return [begin?.edits.map(({ path }) => path.join(".")), end?.edits.map(({ value }) => value), went];
    };
    const gone = ["workerNode-3", "gpuNode-4"];
    expect(surge({ to: TO })).toEqual([["surge.worker_instance", "surge.gpu_instance"], [0, 0], gone]);
    expect(surge({ images: { gpuNode: "other" } })).toEqual([["surge.gpu_instance"], [0, 0], gone]);
  });

  it("refuses a surge of a pool that no aspect scales alone, where its nodes are replaced", () => {
    const both = join(folder, "both");
    changedPoolsPackage(both, (definition) =>
      definition.replace("aspect: gpu_instance", "aspect: worker_instance"),
    );
    const from = {
      v: { ...poolsVnf(both, 2, 1, { kubernetes_version: FROM }), scale: {} },
    } as unknown as Vnfs;
    expect(() => plan({ to: TO, surge: 1 }, from)).toThrow(
      "v: --surge: no scaling aspect adds only servers of VDU workerNode or gpuNode",
    );
    expect(() => plan({ images: { gpuNode: "other" }, surge: 1 }, from)).toThrow(
      "v: --surge: no scaling aspect adds only servers of VDU gpuNode",
    );
  });
});

test("status has the nodes and the scale of all pools, the topology a box for each", () => {
  const intent = intentOf(inRepository({ vnfs: vnfs(1, 2) }));
  const [status] = statusOf(intent, {});
  expect([status?.scale, status?.vnfcs.map(({ vnfc }) => vnfc)]).toEqual([
    { worker_instance: 0, gpu_instance: 1 },
    ["masterNode-1", "workerNode-1", "gpuNode-1", "gpuNode-2"],
  ]);
  const plans = [...intent.values()].map(({ plan }) => plan);
  expect(drawText(topologyOf(plans, [], "cloud")).slice(-3)).toEqual([
    "   ├─ masterNode × 1: master, m1.medium, debian-12-kube-v1.33.0, on public",
    "   ├─ workerNode × 1: worker, m1.small, debian-12-kube-v1.33.0, on public",
    "   └─ gpuNode × 2: worker, m1.small, debian-12-kube-v1.33.0, on public",
  ]);
});
