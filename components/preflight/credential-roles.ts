import * as pulumi from "@pulumi/pulumi";
import { Findings, textOf, type Finding } from "../base/findings";
import { credentialOf, credentialPlace } from "../plan/credential";
import { credentialRoles, defaultRoles } from "../plan/credential-roles";
import type { InstancePlan } from "../plan/model";
import { printable } from "../base/printable";
import { assertNone } from "../base/settings-fault";
import type { Connect } from "./cloud";

/**
 * Checks the roles of clusters' credentials, and determines the default roles. Warns about roles that controllers do
 * not need, about missing ones, and about new credentials without an expiry.
 * @param isThere returns true for an instance in the outputs of the last run
 * @param connect connects to the cloud, which is needed only for credentials
 * @returns the default roles; undefined: all roles of the user
 * @throws SettingsFault with the roles that the user does not have
 */
export async function readCredentialRoles(
  plans: readonly InstancePlan[],
  isThere: (instance: string) => boolean,
  connect: Connect,
): Promise<readonly string[] | undefined> {
  if (plans.every((plan) => credentialOf(plan) === undefined)) return undefined;
  const { roles } = await connect();
  const { faults, warnings } = credentialRoles(plans, roles);
  assertNone(new Findings(...faults));
  const begun = plans.filter(({ name }) => !isThere(name));
  for (const warning of [...warnings, ...endless(begun)]) void pulumi.log.warn(printable(textOf(warning)));
  return defaultRoles(roles);
}

/** Warns once about new credentials without an expiry. */
function endless(plans: readonly InstancePlan[]): Finding[] {
  return plans
    .filter((plan) => credentialOf(plan)?.expiresAt === undefined && credentialOf(plan) !== undefined)
    .map((plan) =>
      credentialPlace(plan)
        .get("expiresAt")
        .finding(
          "is not set, so the credential never expires; with a time, previews warn 30 days before it expires",
        ),
    );
}
