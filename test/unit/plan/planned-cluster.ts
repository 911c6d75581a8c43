import { planOf } from "../../support/planned";
import { shown } from "../../../components/kube/objects/object";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";

/** Plans a stack with a cluster `tenant` from a template. @returns the plan, and the objects of the cluster */
export function plannedCluster(cluster: object = {}, template: object = {}) {
  const vnfs = { tenant: { ...templateCluster({ vim: "vnf-a" }), ...cluster }, "vnf-a": clusterVnf(1) };
  const plans = planOf(vnfs, { readProjectFile: () => "" }, { kube: { ...clusterTemplate(), ...template } });
  const plan = plans.find(({ kind }) => kind === "template");
  if (plan?.kind !== "template") throw new Error("no cluster is planned");
  const objects = plan.cnf.objects.map(({ object }) => object);
  /** Returns the objects whose `<kind> <namespace>/<name>` begins with `start`. */
  const find = (start: string) => objects.filter((object) => shown(object).startsWith(start));
  return { plans, plan, objects, find };
}
