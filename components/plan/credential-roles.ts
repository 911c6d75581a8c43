import type { Finding, Place } from "../base/findings";
import { didYouMean } from "../base/nearest";
import { credentialOf, credentialPlace } from "./credential";
import type { InstancePlan, PlannedCredential } from "./model";

/** Keystone's role of users who make things in a project; the second one is its name on older clouds. */
const MEMBER = ["member", "_member_"];
/** Octavia's, without which it refuses members on most clouds. */
const BALANCERS = "load-balancer_member";

/** An application credential of a cluster, with the setting that it stands under. */
interface OwnCredential {
  readonly credential: PlannedCredential;
  readonly place: Place;
}

/**
 * The roles of an application credential whose settings name none: what controllers of a cluster need, and no more.
 *
 * @param ofUser the roles in the project of the user who makes it: Keystone lets nobody give another one away
 * @returns undefined where no role of the user is one of members: then the credential has all of them
 */
export function defaultRoles(ofUser: readonly string[]): readonly string[] | undefined {
  const named = (role: string) => ofUser.find((one) => isSame(one, role));
  const [member] = MEMBER.flatMap((role) => named(role) ?? []);
  return member === undefined ? undefined : [member, ...[named(BALANCERS) ?? []].flat()];
}

/**
 * Compares the roles of credentials with those of the user who makes them.
 * @returns as faults the roles that the user does not have; as warnings those that are more, or less, than controllers need
 */
export function credentialRoles(
  plans: readonly InstancePlan[],
  ofUser: readonly string[],
): { readonly faults: readonly Finding[]; readonly warnings: readonly Finding[] } {
  const all = plans.flatMap((plan): OwnCredential[] => {
    const credential = credentialOf(plan);
    return credential === undefined ? [] : [{ credential, place: credentialPlace(plan) }];
  });
  return {
    faults: all.flatMap((one) => lacking(one, ofUser)),
    warnings: all.flatMap((one) => [...administering(one), ...unlike(one, ofUser)]),
  };
}

function lacking({ credential: { roles = [] }, place }: OwnCredential, ofUser: readonly string[]): Finding[] {
  return roles.flatMap((role, i) =>
    ofUser.some((one) => isSame(one, role))
      ? []
      : place
          .get("roles", i)
          .finding(
            `the user of pulumi up has no role "${role}" in the project, and can give none away but ` +
              `${ofUser.join(", ")}${didYouMean(role, ofUser)}`,
          ),
  );
}

function administering({ credential: { roles = [] }, place }: OwnCredential): Finding[] {
  return roles.flatMap((role, i) =>
    isAdministrator(role)
      ? place
          .get("roles", i)
          .finding(
            `"${role}" may do more in the cloud than a cluster needs, and whoever may read Secrets of its addons has it; ` +
              `${MEMBER[0]} and ${BALANCERS} do for its controllers`,
          )
      : [],
  );
}

/** A default that is more than members have, or less than the user could do. */
function unlike({ credential: { roles }, place }: OwnCredential, ofUser: readonly string[]): Finding[] {
  if (roles !== undefined) return [];
  const byDefault = defaultRoles(ofUser);
  const wayOut = "name the roles that its controllers need";
  if (byDefault === undefined)
    return [
      place
        .get("roles")
        .finding(
          `the user of pulumi up has no role ${MEMBER[0]} in the project, so the credential has all that it has ` +
            `(${ofUser.join(", ")}); ${wayOut}`,
        ),
    ];
  // of other members the cloud may ask for no more
  if (byDefault.length > 1 || !ofUser.some(isAdministrator)) return [];
  return [
    place
      .get("roles")
      .finding(
        `the credential has the role ${byDefault.join()} alone, as the user of pulumi up has no ${BALANCERS}, without which ` +
          `Octavia makes no balancer on most clouds; give the user that role, or ${wayOut}`,
      ),
  ];
}

function isAdministrator(role: string): boolean {
  return /^(admin|manager|service)$|[-_]admin$/i.test(role);
}

/** Keystone finds roles as its database compares texts: with MySQL whatever their case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
