import type { Findings, Place } from "../../base/findings";
import { identityOf, shown } from "../../kube/objects/object";
import { own } from "../../base/own";
import { madeBy } from "./cnf";
import type { CnfPlan } from "./model";

interface Made extends Pick<ReturnType<typeof madeBy>[number], "object" | "retain"> {
  readonly isHook?: boolean;
}

/**
 * Records objects that two CNFs of one cluster both define: each CNF would undo the changes of the other, and Helm
 * deletes an object with the name of a hook before it creates the hook. A Namespace that is in no manifest is shared.
 */
export function checkCollisions(plans: readonly CnfPlan[], faults: Findings): void {
  const owners = new Map<string, { readonly plan: CnfPlan; readonly planned: Made }>();
  for (const plan of plans) {
    const params = faults.instance(plan.instance).get("additionalParams");
    for (const planned of [...madeBy(plan), ...hooksOf(plan)]) {
      const id = identityOf(planned.object);
      const first = owners.get(id);
      if (first === undefined) owners.set(id, { plan, planned });
      else if (!(first.planned.retain && planned.retain))
        (plan === first.plan ? params : params.get("namespace")).fault(collision(plan, first.plan, planned));
      else checkLabels(params.get("namespace_labels"), plan, planned, first.plan, first.planned);
    }
  }
}

/**
 * Returns the hooks with a known name that a run creates. A hook may have the name of an object in its own chart,
 * because the two never exist at the same time; such hooks are left out.
 */
function hooksOf(plan: CnfPlan): Made[] {
  return plan.releases.flatMap(({ objects, hooks }) => {
    const own = new Set(objects.map(({ object }) => identityOf(object)));
    return hooks
      .filter(
        ({ isTest, objects: [object] }) => !isTest && object.metadata.name && !own.has(identityOf(object)),
      )
      .map(({ objects: [object] }) => ({ object, retain: false, isHook: true }));
  });
}

/** Records labels of a shared Namespace to which two CNFs give different values. */
function checkLabels(
  place: Place,
  plan: CnfPlan,
  { object }: Made,
  other: CnfPlan,
  { object: otherObject }: Made,
): void {
  const { labels = {} } = otherObject.metadata;
  for (const [key, value] of Object.entries(object.metadata.labels ?? {}))
    if ((own(labels, key) ?? value) !== value)
      place.fault(
        `${key} is ${value} for ${shown(object)}, but ${other.instance} sets it to ${labels[key]}; set both to the same, or use a separate namespace for ${plan.instance}`,
      );
}

function collision(plan: CnfPlan, other: CnfPlan, { object, isHook = false }: Made): string {
  if (plan === other)
    return `${shown(object)}${isHook ? ", a hook of a chart," : ""} is created twice by this instance, by its charts or by a manifest and a chart; remove one of the two`;
  const what = `${shown(object)}${isHook ? ", a hook of a chart," : ""} is also defined by ${other.instance}, on the same cluster`;
  const isPlacedHere = object.metadata.namespace === plan.namespace && plan.namespace === other.namespace;
  if (isPlacedHere) return `${what}; use a separate namespace for ${plan.instance}`;
  const way =
    object.metadata.namespace === undefined
      ? "it belongs to no namespace, so a separate namespace does not help: remove it from one of the two"
      : "its manifest sets the namespace; set namespace and override_namespace, or remove it from the manifest";
  return `${what}; ${way}`;
}
