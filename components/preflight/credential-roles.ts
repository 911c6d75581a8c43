import * as pulumi from "@pulumi/pulumi";
import { Findings, textOf } from "../findings";
import type { OpenStack } from "../openstack/session";
import { credentialOf } from "../plan/credential";
import { credentialRoles, defaultRoles } from "../plan/credential-roles";
import type { InstancePlan } from "../plan/model";
import { printable } from "../printable.cjs";
import { assertNone } from "../settings-fault";

/**
 * Reads which roles the credentials of clusters can have, and have where their settings do not say it. Warns where these
 * are more, or less, than controllers need.
 *
 * @param connect to the cloud, which is done only where a cluster has a credential
 * @returns the default; undefined: all roles of the user
 * @throws SettingsFault with the roles that the user does not have
 */
export async function readCredentialRoles(
  plans: readonly InstancePlan[],
  connect: () => Promise<Pick<OpenStack, "roles">>,
): Promise<readonly string[] | undefined> {
  if (plans.every((plan) => credentialOf(plan) === undefined)) return undefined;
  const { roles } = await connect();
  const { faults, warnings } = credentialRoles(plans, roles);
  assertNone(new Findings(...faults));
  for (const warning of warnings) void pulumi.log.warn(printable(textOf(warning)));
  return defaultRoles(roles);
}
