import type { Findings, Place } from "../../findings";
import { identityOf, shown } from "../../kube/object";
import { own } from "../../own";
import { madeBy, type CnfPlan } from "./cnf";

type Made = ReturnType<typeof madeBy>[number];

/**
 * Records objects that two CNFs of one cluster both define: each would undo what the other applies. A Namespace that
 * stands in no manifest is shared.
 */
export function checkCollisions(plans: readonly CnfPlan[], faults: Findings): void {
  const owners = new Map<string, { readonly plan: CnfPlan; readonly planned: Made }>();
  for (const plan of plans) {
    const params = faults.instance(plan.instance).get("additionalParams");
    for (const planned of madeBy(plan)) {
      const id = identityOf(planned.object);
      const first = owners.get(id);
      if (first === undefined) owners.set(id, { plan, planned });
      else if (!(first.planned.retain && planned.retain))
        params.get("namespace").fault(collision(plan, first.plan, planned));
      else checkLabels(params.get("namespace_labels"), plan, planned, first.plan, first.planned);
    }
  }
}

/** Labels of a shared Namespace that each would set to a value of its own. */
function checkLabels(
  place: Place,
  plan: CnfPlan,
  { object }: Made,
  other: CnfPlan,
  { object: its }: Made,
): void {
  const { labels = {} } = its.metadata;
  for (const [key, value] of Object.entries(object.metadata.labels ?? {}))
    if ((own(labels, key) ?? value) !== value)
      place.fault(
        `${key}: ${value} is for ${shown(object)}, which ${other.instance} gives ${labels[key]}; give both the same, or ${plan.instance} a namespace of its own`,
      );
}

function collision(plan: CnfPlan, other: CnfPlan, { object }: Made): string {
  const what = `${shown(object)} is defined by ${other.instance} too, on the same cluster`;
  const isPlacedHere = object.metadata.namespace === plan.namespace && plan.namespace === other.namespace;
  if (isPlacedHere) return `${what}; give ${plan.instance} a namespace of its own`;
  const way =
    object.metadata.namespace === undefined
      ? "it belongs to no namespace, so a namespace of its own does not help: let one of the two bring it"
      : "its manifest names the namespace; set namespace and override_namespace, or leave it out of the manifest";
  return `${what}; ${way}`;
}
