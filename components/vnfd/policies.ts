import { didYouMean } from "../base/nearest";
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

/** Policy types of SOL001 6.10 without an effect. */
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
  "LcmCoordinationsForLcmOperation",
  "NonExclusiveDeployableModule",
];

export interface Policy {
  readonly name: string;
  /** Kind of policy. Undefined: it has no effect. */
  readonly kind: PolicyKind | undefined;
  /** Its base type in SOL001, without the prefix; its own type if it is not derived from one of SOL001. */
  readonly base: string;
  readonly properties: At;
  /** The names in `targets`, each with its place. */
  readonly targets: readonly At[];
  readonly at: At;
}

/** Reads the policies of a topology template; an unknown type of SOL001 is an error. */
export function readPolicies(topology: At, types: Types): Policy[] {
  const known = [...used, ...unused].map((name) => prefix + name);
  return topology
    .get("policies")
    .namedItems()
    .map(([name, place]) => {
      const at = place.named(name);
      const type = at.get("type").requiredText();
      const base = types.policyBase(type, known);
      const kind = used.find((u) => prefix + u === base);
      if (base.startsWith(prefix) && !known.includes(base)) {
        const suggestion = didYouMean(base, known);
        // types of a later SOL001 are ignored, like known types without an effect
        if (suggestion !== "") at.get("type").fault(`${base} is not a policy type of SOL001${suggestion}`);
      }
      const targets = kind === undefined ? [] : at.get("targets").items();
      return { name, kind, base: base.replace(prefix, ""), properties: at.get("properties"), targets, at };
    });
}

/** Returns the target's name if it is one of `known`; else records an error with the expected names. */
export function targetName(target: At, what: string, known: readonly string[]): string | undefined {
  return nameIn(target, what, known, [], (problem) => {
    target.fault(problem);
  });
}

/**
 * Like targetName, but only warns about an unknown name, if a VNF can be instantiated without it.
 * @param beside places of other names in the same list, which are not suggested
 */
export function targetNameIfAny(
  target: At,
  what: string,
  known: readonly string[],
  beside: readonly At[],
): string | undefined {
  const taken = beside.flatMap((other) => (other.isText ? (other.text() ?? []) : []));
  return nameIn(target, what, known, taken, (problem) => {
    target.warn(`is ignored: ${problem}`);
  });
}

function nameIn(
  target: At,
  what: string,
  known: readonly string[],
  taken: readonly string[],
  fault: (problem: string) => void,
): string | undefined {
  const name = target.requiredText();
  if (known.includes(name)) return name;
  if (name !== "") fault(`there is no ${what} ${JSON.stringify(name)}${nearest(name, known, taken)}`);
  return undefined;
}
