import type { At } from "./at";
import type { PlacementGroup } from "./model";
import { targetName, type Policy } from "./policies";

/** Scopes of SOL001 6.10.9; the namespace and the cluster apply to containers. */
const scopes = [
  "nfvi_node",
  "zone",
  "zone_group",
  "nfvi_pop",
  "network_link_and_node",
  "container_namespace",
  "cis_node",
  "cluster",
];

/**
 * Reads AffinityRules and AntiAffinityRules (SOL001 6.10.9, 6.10.10). A rule on a PlacementGroup applies between all
 * its members; a rule on VDUs applies within each VDU. Virtual links may be targets too, but have no effect.
 */
export function readPlacement(
  topology: At,
  policies: readonly Policy[],
  vdus: readonly string[],
  others: readonly string[],
): PlacementGroup[] {
  const groups = new Map(
    topology
      .get("groups")
      .namedItems()
      .map(([name, at]) => [name, at.named(name)]),
  );
  const members = new Map(
    [...groups].map(([name, at]) => [
      name,
      at
        .get("members")
        .items()
        .flatMap((m) => vdusAt(m, targetName(m, "VDU", [...vdus, ...others]))),
    ]),
  );
  return policies.flatMap((policy) => {
    if (policy.kind !== "AffinityRule" && policy.kind !== "AntiAffinityRule") return [];
    const scope = policy.properties.get("scope").requiredText();
    if (scope !== "" && !scopes.includes(scope)) {
      policy.properties.get("scope").warn(`${JSON.stringify(scope)} is not one of ${scopes.join(", ")}`);
    }
    if (policy.targets.length === 0) policy.at.get("targets").missing();
    const sets = policy.targets.flatMap((target): { name: string; vdus: readonly string[] }[] => {
      const name = targetName(target, "VDU or placement group", [...vdus, ...groups.keys(), ...others]);
      if (name === undefined) return [];
      const vdusOf = members.get(name) ?? vdusAt(target, name);
      return vdusOf.length === 0 ? [] : [{ name, vdus: vdusOf }];
    });
    return sets.map((set) => ({
      id: sets.length === 1 ? policy.name : `${policy.name}_${set.name}`,
      policy: policy.kind === "AffinityRule" ? ("affinity" as const) : ("anti-affinity" as const),
      scope,
      vdus: set.vdus,
    }));
  });

  function vdusAt(at: At, name: string | undefined): string[] {
    if (name === undefined) return [];
    if (vdus.includes(name)) return [name];
    at.warn(`${name} is not a VDU: the cloud decides its placement`);
    return [];
  }
}
