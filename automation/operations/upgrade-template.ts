import { own } from "../../components/base/own";
import { UsageFault } from "../fault";
import { intentOf, vnfOf } from "../stack/intent";
import { ofObjects } from "./guard";
import type { Operation } from "./operation";
import type { RollStep } from "./roll";
import { editValue, type Edit, type StackSettings } from "../stack/stack-config";

/** Templates of machines, which an upgrade re-creates under other names. */
const MACHINE_TEMPLATES = [
  "infrastructure.cluster.x-k8s.io/OpenStackMachineTemplate",
  "bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate",
];

/**
 * The edit that moves a workload cluster to another template, in one run: Cluster API replaces the machines of the
 * control plane before those of the groups. Addons that the template does not have are deleted.
 * @throws UsageFault if the instance is no cluster from a template; SettingsFault if there is no such template, or the
 * cluster is invalid with it
 */
export function planTemplate(settings: StackSettings, name: string, template: string): Operation {
  const before = intentOf(settings);
  const { plan } = vnfOf(before, name);
  if (plan.kind !== "template")
    throw new UsageFault(`${name} is not a workload cluster from a template: --template cannot be used`);
  const edits: readonly Edit[] = [{ vnf: name, path: ["clusterTemplate"], value: template }];
  const after = intentOf(editValue(settings, edits));
  return {
    edits,
    allowance: {
      vnf: name,
      actions: ["delete"],
      mayGo: ofObjects(...MACHINE_TEMPLATES),
      whole: [...before.keys()].filter((instance) => !after.has(instance)),
    },
  };
}

/**
 * The runs that move a workload cluster to several templates, one after the other, such as one of each minor version. A
 * cluster with one of them starts from that one, as its run may have been cut off.
 * @throws as planTemplate does
 */
export function planTemplates(
  settings: StackSettings,
  name: string,
  templates: readonly string[],
): readonly RollStep[] {
  const present = templates.lastIndexOf(String(own(settings.vnfs, name)?.["clusterTemplate"]));
  const steps: RollStep[] = [];
  let reached = settings;
  for (const template of templates.slice(Math.max(present, 0))) {
    const { edits, allowance } = planTemplate(reached, name, template);
    steps.push({ what: `template ${template}`, edits, allowance });
    reached = editValue(reached, edits);
  }
  return steps;
}
