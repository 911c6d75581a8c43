import { identityOf, shown } from "../../kube/object";
import { own } from "../../own";
import { madeBy, type CnfPlan } from "./cnf";

type Made = ReturnType<typeof madeBy>[number];

/**
 * Objects that two CNFs of one cluster both define: each would undo what the other applies. A Namespace that
 * stands in no manifest is shared.
 */
export function findCollisions(plans: readonly CnfPlan[]): string[] {
  const faults: string[] = [];
  const owners = new Map<string, { readonly plan: CnfPlan; readonly planned: Made }>();
  for (const plan of plans) {
    for (const planned of madeBy(plan)) {
      const id = identityOf(planned.object);
      const first = owners.get(id);
      if (first === undefined) owners.set(id, { plan, planned });
      else if (!(first.planned.retain && planned.retain)) faults.push(collision(plan, first.plan, planned));
      else faults.push(...differentLabels(plan, planned, first.plan, first.planned));
    }
  }
  return faults;
}

/** Labels of a shared Namespace that each would set to a value of its own. */
function differentLabels(plan: CnfPlan, { object }: Made, other: CnfPlan, { object: its }: Made): string[] {
  const { labels = {} } = its.metadata;
  return Object.entries(object.metadata.labels ?? {})
    .filter(([key, value]) => (own(labels, key) ?? value) !== value)
    .map(
      ([key, value]) =>
        `vnfm:vnfs.${plan.instance}.additionalParams.namespace_labels: ${key}: ${value} is for ${shown(object)}, which ${other.instance} gives ${labels[key]}; give both the same, or ${plan.instance} a namespace of its own`,
    );
}

function collision(plan: CnfPlan, other: CnfPlan, { object }: Made): string {
  const setting = `vnfm:vnfs.${plan.instance}.additionalParams.namespace`;
  const what = `${shown(object)} is defined by ${other.instance} too, on the same cluster`;
  const isPlacedHere = object.metadata.namespace === plan.namespace && plan.namespace === other.namespace;
  if (isPlacedHere) return `${setting}: ${what}; give ${plan.instance} a namespace of its own`;
  const way =
    object.metadata.namespace === undefined
      ? "it belongs to no namespace, so a namespace of its own does not help: let one of the two bring it"
      : "its manifest names the namespace; set namespace and override_namespace, or leave it out of the manifest";
  return `${setting}: ${what}; ${way}`;
}
