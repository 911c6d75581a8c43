import type { At } from "./at";
import { nearest } from "./nearest";
import type { Types } from "./types";

/** Policy types of SOL001 6.10 that the reader uses. */
const used = [
  "ScalingAspects",
  "VduScalingAspectDeltas",
  "VduInitialDelta",
  "InstantiationLevels",
  "VduInstantiationLevels",
  "AffinityRule",
  "AntiAffinityRule",
] as const;
export type PolicyKind = (typeof used)[number];

const prefix = "tosca.policies.nfv.";

/** Policy types of SOL001 6.10 that nothing is made of. */
const unused = [
  "VirtualLinkInstantiationLevels",
  "VirtualLinkBitrateScalingAspectDeltas",
  "VirtualLinkBitrateInitialDelta",
  "VirtualLinkBitrateLevels",
  "VipCpInstantiationLevels",
  "VipCpScalingAspectDeltas",
  "VipCpInitialDelta",
  "VirtualCpInstantiationLevels",
  "VirtualCpScalingAspectDeltas",
  "VirtualCpInitialDelta",
  "SecurityGroupRule",
  "SupportedVnfInterface",
  "VnfIndicator",
  "VnfPackageChange",
  "LcmCoordinationAction",
  "LcmCoordinationActions",
  "NonExclusiveDeployableModule",
];

export interface Policy {
  readonly name: string;
  readonly kind: PolicyKind;
  readonly properties: At;
  /** The names in `targets`, each with its place. */
  readonly targets: readonly At[];
  readonly at: At;
}

/** The policies of a topology template that the reader uses; one of an unknown SOL001 type is a fault. */
export function readPolicies(topology: At, types: Types): Policy[] {
  const known = [...used, ...unused].map((name) => prefix + name);
  return topology
    .get("policies")
    .namedItems()
    .flatMap(([name, place]) => {
      const at = place.named(name);
      const type = at.get("type").requiredText();
      const base = types.policyBase(type, known);
      const kind = used.find((u) => prefix + u === base);
      if (kind === undefined) {
        if (base.startsWith(prefix) && !known.includes(base)) {
          at.get("type").fault(`${base} is no policy type of SOL001${nearest(base, known)}`);
        }
        return [];
      }
      return [{ name, kind, properties: at.get("properties"), targets: at.get("targets").items(), at }];
    });
}

/** The target's name where it is one of `known`; else a fault that says what it should be. */
export function targetName(target: At, what: string, known: readonly string[]): string | undefined {
  const name = target.requiredText();
  if (known.includes(name)) return name;
  if (name !== "") target.fault(`there is no ${what} ${JSON.stringify(name)}${nearest(name, known)}`);
  return undefined;
}
