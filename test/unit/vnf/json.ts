import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import type { InstancePlan } from "../../../components/plan/model";
import { haStorageVnf, webCnf } from "../../support/configs";
import { recordResources, settle } from "../../support/mocks";
import { clusterOutputs } from "./outputs";

async function registered(plans: readonly InstancePlan[]): Promise<readonly string[]> {
  const recorded = recordResources((resource) =>
    resource.type.startsWith("kubernetes:") ? { metadata: { uid: "uid" } } : clusterOutputs(resource),
  );
  makeVnfs(plans);
  await settle();
  // the stack's identity is random
  const others = recorded.filter(({ name }) => name !== "identity");
  return others.map((resource) => JSON.stringify(resource)).sort();
}

it("a plan is data: a copy of it by way of JSON registers the same resources", async () => {
  const plans = planOf({ web: webCnf("web", { vim: "vnf-a" }), "vnf-a": haStorageVnf(3, 2) });
  const copy = JSON.parse(JSON.stringify(plans)) as InstancePlan[];
  const resources = await registered(plans);
  expect(resources.length).toBeGreaterThan(100);
  expect(await registered(copy)).toEqual(resources);
});
