import { planOf } from "../../support/planned";
import { shown } from "../../../components/kube/objects/object";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";

/** The plan of a stack with a cluster `tenant` by a template, and the objects of that cluster. */
export function plannedCluster(cluster: object = {}, template: object = {}) {
  const vnfs = { tenant: { ...templateCluster({ vim: "vnf-a" }), ...cluster }, "vnf-a": clusterVnf(1) };
  const plans = planOf(vnfs, { readProjectFile: () => "" }, { kube: { ...clusterTemplate(), ...template } });
  const plan = plans.find(({ kind }) => kind === "template");
  if (plan?.kind !== "template") throw new Error("no cluster is planned");
  const objects = plan.cnf.objects.map(({ object }) => object);
  /** Those whose `<kind> <namespace>/<name>` begins so. */
  const find = (start: string) => objects.filter((object) => shown(object).startsWith(start));
  return { plans, plan, objects, find };
}
