import type { Finding, Place } from "../base/findings";
import { didYouMean } from "../base/nearest";
import { credentialOf, credentialPlace } from "./credential";
import type { InstancePlan, PlannedCredential } from "./model";

/** Keystone's role for users who create resources in a project; older clouds have the second name. */
const MEMBER = ["member", "_member_"];
/** Octavia's role: without it most clouds refuse to create load balancers. */
const BALANCERS = "load-balancer_member";

/** An application credential of a cluster, and its setting. */
interface OwnCredential {
  readonly credential: PlannedCredential;
  readonly place: Place;
}

/**
 * The default roles of an application credential: those that controllers of a cluster need, and no more.
 * @param ofUser roles of the user in the project: Keystone delegates no others
 * @returns undefined if the user has no role of a member; the credential then has all roles of the user
 */
export function defaultRoles(ofUser: readonly string[]): readonly string[] | undefined {
  const named = (role: string) => ofUser.find((one) => isSame(one, role));
  const [member] = MEMBER.flatMap((role) => named(role) ?? []);
  return member === undefined ? undefined : [member, ...[named(BALANCERS) ?? []].flat()];
}

/**
 * Compares the roles of credentials with those of the user who creates them, and with those that controllers need.
 * @returns as faults the roles that the user does not have; as warnings superfluous and missing roles
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
            `the user of pulumi up does not have the role "${role}" in the project, and can delegate only ` +
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
            `"${role}" permits more in the cloud than a cluster needs, and everyone who can read Secrets of its addons gets it; ` +
              `${MEMBER[0]} and ${BALANCERS} suffice for its controllers`,
          )
      : [],
  );
}

/** Warnings about default roles that give more rights than those of a member, or omit roles of the user. */
function unlike({ credential: { roles }, place }: OwnCredential, ofUser: readonly string[]): Finding[] {
  if (roles !== undefined) return [];
  const byDefault = defaultRoles(ofUser);
  const wayOut = "set the roles that its controllers need";
  if (byDefault === undefined)
    return [
      place
        .get("roles")
        .finding(
          `the user of pulumi up has no role ${MEMBER[0]} in the project, so the credential has all roles of the user ` +
            `(${ofUser.join(", ")}); ${wayOut}`,
        ),
    ];
  // clouds with other roles for members may require all of them
  if (byDefault.length > 1 || !ofUser.some(isAdministrator)) return [];
  return [
    place
      .get("roles")
      .finding(
        `the credential has only the role ${byDefault.join()}, because the user of pulumi up does not have ${BALANCERS}, without which ` +
          `Octavia creates no load balancer on most clouds; assign that role to the user, or ${wayOut}`,
      ),
  ];
}

function isAdministrator(role: string): boolean {
  return /^(admin|manager|service)$|[-_]admin$/i.test(role);
}

/** Compares names of roles as Keystone does: its database ignores case if it is MySQL. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
