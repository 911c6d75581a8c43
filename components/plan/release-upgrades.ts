import { Findings } from "../base/findings";
import { groupKind } from "../kube/objects/kinds";
import { shown } from "../kube/objects/object";
import { own } from "../base/own";
import type { FormerOutputs } from "./former-outputs";
import { workloads, type InstancePlan } from "./model";
import { immutableHashes } from "./workload/immutable-hashes";
import type { PlannedRelease, ReleaseObject } from "./workload/planned-release";

/** Warnings about upgrades of Helm releases that Kubernetes will refuse, with a solution for each. */
export function refusedUpgrades(plans: readonly InstancePlan[], former: FormerOutputs): string[] {
  return workloads(plans).flatMap(({ name, cnf }) => {
    const before = own(former, name)?.immutableHashes ?? {};
    const now = immutableHashes(cnf.releases);
    return cnf.releases.flatMap((release) => {
      const changed = release.objects.filter(({ key }) => (own(before, key) ?? now[key]) !== now[key]);
      const place = new Findings().instance(name);
      return changed.map((object) => `${place.text}: ${refusal(release, object)}`);
    });
  });
}

function refusal({ name, namespace }: PlannedRelease, { object }: ReleaseObject): string {
  const kept = groupKind(object) === "apps/StatefulSet" || groupKind(object) === "apps/Deployment";
  const where = object.metadata.namespace === undefined ? "" : ` --namespace ${object.metadata.namespace}`;
  const command = `kubectl delete ${object.kind.toLowerCase()} ${object.metadata.name}${where}${kept ? " --cascade=orphan" : ""}`;
  return (
    `the chart of ${namespace}/${name} changes fields of ${shown(object)} that cannot be changed in Kubernetes, so the upgrade will be rejected; ` +
    `keep the former chart or values, or delete the object before the update: '${command}'${kept ? ", which keeps its pods and PVCs" : ""}`
  );
}
