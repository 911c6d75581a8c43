import { planOf } from "../../support/planned";
import { parse } from "yaml";
import { makeVnfs } from "../../../components/deploy/instance";
import { POOLS_PACKAGE, poolsVnf } from "../../support/configs";
import { recordResources, settle } from "../../support/mocks";
import { recordedScript, recordedScripts } from "../../support/script-steps";
import { clusterOutputs } from "./outputs";

describe("a cluster of two pools of workers", () => {
  let recorded: ReturnType<typeof recordResources>;

  beforeAll(async () => {
    recorded = recordResources((resource) => clusterOutputs(resource, { zone: "nova" }));
    makeVnfs(planOf({ "vnf-a": poolsVnf(POOLS_PACKAGE, 1, 2) }));
    await settle();
  });

  /** Lists the steps of a VNFC, without the copy of a single control plane, which only the first worker stores. */
  const stepsOf = (vnfc: string) =>
    recordedScripts(recorded)
      .map(({ name }) => name)
      .filter((name) => name.startsWith(`vnf-a-${vnfc}-`) && !name.endsWith("-store"))
      .map((name) => name.slice(`vnf-a-${vnfc}-`.length))
      .sort();

  it("joins the nodes of the second one as those of the first", () => {
    const steps = ["join", "labels", "member", "prepare", "ready"];
    expect(["workerNode-1", "gpuNode-1", "gpuNode-2"].map(stepsOf)).toEqual([steps, steps, steps]);
    expect(recordedScript(recorded, "vnf-a-gpuNode-1-member").data).toContain("node_role='worker'");
    const stores = recordedScripts(recorded).filter(({ name }) => name.endsWith("-store"));
    expect(stores.map(({ name }) => name)).toEqual(["vnf-a-workerNode-1-store"]);
  });

  it("gives the nodes of each its labels and taints, which they join with", () => {
    const declared = (vnfc: string) =>
      recordedScript(recorded, `vnf-a-${vnfc}-labels`)
        .data.split("\n")
        .filter((line) => /^node_(labels|taints)=/.test(line));
    expect(["masterNode-1", "workerNode-1", "gpuNode-2"].map(declared)).toEqual([
      ["node_labels=''", "node_taints=''"],
      ["node_labels=''", "node_taints=''"],
      [
        "node_labels='example.com/gpu=a100,node-role.kubernetes.io/gpu='",
        "node_taints='example.com/gpu=a100:NoSchedule'",
      ],
    ]);
    const registered = (vnfc: string) => {
      const { data } = recordedScript(recorded, `vnf-a-${vnfc}-join`);
      const [, config = ""] = /^join_config='([^']*)'/m.exec(data) ?? [];
      return (parse(config) as { nodeRegistration: { taints?: unknown } }).nodeRegistration.taints;
    };
    expect(registered("workerNode-1")).toBeUndefined();
    expect(registered("gpuNode-2")).toEqual([
      { key: "example.com/gpu", value: "a100", effect: "NoSchedule" },
    ]);
  });
});
