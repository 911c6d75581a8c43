import * as pulumi from "@pulumi/pulumi";
import { Findings, textOf, type Finding } from "../base/findings";
import type { OpenStack } from "../openstack/session";
import { credentialOf, credentialPlace } from "../plan/credential";
import { credentialRoles, defaultRoles } from "../plan/credential-roles";
import type { InstancePlan } from "../plan/model";
import { printable } from "../base/printable";
import { assertNone } from "../base/settings-fault";

/**
 * Reads which roles the credentials of clusters can have, and have where their settings do not say it. Warns where these
 * are more, or less, than controllers need, and of a new one that has no end.
 *
 * @param isThere whether an instance is in the outputs of the last run
 * @param connect to the cloud, which is done only where a cluster has a credential
 * @returns the default; undefined: all roles of the user
 * @throws SettingsFault with the roles that the user does not have
 */
export async function readCredentialRoles(
  plans: readonly InstancePlan[],
  isThere: (instance: string) => boolean,
  connect: () => Promise<Pick<OpenStack, "roles">>,
): Promise<readonly string[] | undefined> {
  if (plans.every((plan) => credentialOf(plan) === undefined)) return undefined;
  const { roles } = await connect();
  const { faults, warnings } = credentialRoles(plans, roles);
  assertNone(new Findings(...faults));
  const begun = plans.filter(({ name }) => !isThere(name));
  for (const warning of [...warnings, ...endless(begun)]) void pulumi.log.warn(printable(textOf(warning)));
  return defaultRoles(roles);
}

/** An end is suggested once, where a credential is made for the first time. */
function endless(plans: readonly InstancePlan[]): Finding[] {
  return plans
    .filter((plan) => credentialOf(plan)?.expiresAt === undefined && credentialOf(plan) !== undefined)
    .map((plan) =>
      credentialPlace(plan)
        .get("expiresAt")
        .finding(
          "is not given, so the credential never ends; with a time, each preview tells 30 days before that it ends",
        ),
    );
}
