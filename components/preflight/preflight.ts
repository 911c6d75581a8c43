import type * as pulumi from "@pulumi/pulumi";
import { together } from "../base/settings-fault";
import { sharedBy } from "./cloud";
import { checkClusterNeeds } from "./cluster-needs";
import { readCredentialRoles } from "./credential-roles";
import type { Offer } from "../deploy/openstack/offer";
import { warnOfFlavorNeeds } from "./flavor-needs";
import { checkApiAddresses } from "./api-addresses";
import { checkQuota } from "./quota";
import { warnOfServersInError } from "./server-errors";
import { warnOfServersGone } from "./servers-gone";
import { checkServerNeeds } from "./server-needs";
import { lookupBy, readOffer } from "./read-offer";
import type { OpenStack } from "../openstack/session";
import { own } from "../base/own";
import type { FormerOutputs } from "../plan/former-outputs";
import type { InstancePlan } from "../plan/model";

/** The connection of a run to an OpenStack cloud. */
export interface CloudConnection {
  /** Opens a session, or returns the existing one. */
  readonly connect: () => Promise<OpenStack>;
  /** Options for lookups by the provider plugin. */
  readonly lookups: pulumi.InvokeOptions;
}

/** Data read from a cloud. */
export interface CloudData {
  readonly offer: Offer;
  /** Default roles of credentials. Undefined: all roles that the user has in the project. */
  readonly credentialRoles: readonly string[] | undefined;
}

/**
 * Checks that a cloud has everything that instances need, before anything is created.
 * @throws SettingsFault with everything that is missing
 */
export async function preflight(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  { connect: open, lookups }: CloudConnection,
): Promise<CloudData> {
  const connect = sharedBy(open);
  const isThere = (instance: string) => own(former, instance) !== undefined;
  const [offer, credentialRoles] = await together([
    readOffer(plans, lookupBy(connect, lookups)),
    readCredentialRoles(plans, isThere, connect),
    checkClusterNeeds(plans, isThere, connect),
    checkApiAddresses(plans, isThere, connect),
    checkServerNeeds(plans, connect),
    checkQuota(plans, isThere, connect),
    warnOfServersInError(plans, connect),
    warnOfServersGone(plans, former, connect),
    warnOfFlavorNeeds(plans, connect),
  ]);
  return { offer, credentialRoles };
}
