/** The clouds of instances. */
import { Findings } from "../../../components/base/findings";
import { checkClouds, inClouds } from "../../../components/plan/clouds";
import type { InstancePlan } from "../../../components/plan/model";
import { clusterVnf } from "../../support/configs";
import { planOf } from "../../support/planned";

const SERVERS = { ...clusterVnf(1), cloud: "edge" };

const planned = (plans: readonly InstancePlan[]) => plans.map(({ name, cloud }) => [name, cloud]);

it("an instance is in the cloud of its settings, others in that of the stack", () => {
  expect(planned(planOf({ "vnf-a": SERVERS, "vnf-b": clusterVnf(1) }))).toEqual([
    ["vnf-a", "edge"],
    ["vnf-b", undefined],
  ]);
});

it("an addon is in the cloud of its cluster", () => {
  const [cluster] = planOf({ "vnf-a": clusterVnf(1) });
  const addon = { kind: "cnf", name: "vnf-a-metrics", settingsOf: "vnf-a" } as unknown as InstancePlan;
  const settings = { vnfs: { "vnf-a": { cloud: "edge" } }, clusters: {} } as never;
  expect(planned(inClouds([cluster as InstancePlan, addon], settings))).toEqual([
    ["vnf-a", "edge"],
    ["vnf-a-metrics", "edge"],
  ]);
});

it.each([
  ["another cloud", { cloud: "core" }, "the cloud core", "the cloud edge"],
  ["the cloud of the stack", {}, "the cloud of the stack", "the cloud edge"],
])("an instance in %s cannot move", (_, former, from, to) => {
  const faults = new Findings();
  checkClouds(planOf({ "vnf-a": SERVERS }), { "vnf-a": former }, faults);
  expect(faults.texts).toEqual([
    `vnfm:vnfs.vnf-a.cloud: the instance is in ${from}, and cannot move to ${to}: ` +
      "create an instance with another name there, and terminate this one",
  ]);
});

it.each([
  ["a new instance", {}],
  ["an instance of that cloud", { "vnf-a": { cloud: "edge" } }],
])("%s has no fault", (_, former) => {
  const faults = new Findings();
  checkClouds(planOf({ "vnf-a": SERVERS }), former, faults);
  expect(faults.all).toEqual([]);
});
