import type * as pulumi from "@pulumi/pulumi";
import { together } from "../base/settings-fault";
import { checkClusterNeeds } from "./cluster-needs";
import { readCredentialRoles } from "./credential-roles";
import type { Offer } from "../deploy/openstack/offer";
import { tellFlavorNeeds } from "./flavor-needs";
import { checkGivenAddresses } from "./given-addresses";
import { checkQuota } from "./quota";
import { tellServersInError } from "./server-errors";
import { tellServersGone } from "./servers-gone";
import { checkServerNeeds } from "./server-needs";
import { lookupBy, readOffer } from "./read-offer";
import { readVims } from "../gather/other-stacks";
import type { OpenStack } from "../openstack/session";
import { own } from "../base/own";
import type { FormerOutputs } from "../plan/former-outputs";
import type { InstancePlan } from "../plan/model";

/** How a run asks an OpenStack cloud. */
export interface AskedCloud {
  /** Begins a session, or gives the one that has begun. */
  readonly connect: () => Promise<OpenStack>;
  /** For lookups by the provider's plugin. */
  readonly lookups: pulumi.InvokeOptions;
}

/** What was read of other stacks and of the cloud. */
export interface Found {
  /** Kubeconfigs by the instance name of the CNF that lands there; secret. */
  readonly vims: ReadonlyMap<string, pulumi.Output<string>>;
  readonly offer: Offer;
  /** Roles of credentials whose settings name none. Undefined: all that the user has in the project. */
  readonly credentialRoles: readonly string[] | undefined;
}

/**
 * Asks a cloud and other stacks for all that instances need of them, before anything is made.
 *
 * @throws SettingsFault with all that is missing
 */
export async function preflight(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  { connect, lookups }: AskedCloud,
): Promise<Found> {
  const isThere = (instance: string) => own(former, instance) !== undefined;
  const [vims, offer, credentialRoles] = await together([
    readVims(plans),
    readOffer(plans, lookupBy(connect, lookups)),
    readCredentialRoles(plans, isThere, connect),
    checkClusterNeeds(plans, isThere, connect),
    checkGivenAddresses(plans, isThere, connect),
    checkServerNeeds(plans, connect),
    checkQuota(plans, isThere, connect),
    tellServersInError(plans, connect),
    tellServersGone(plans, former, connect),
    tellFlavorNeeds(plans, connect),
  ]);
  return { vims, offer, credentialRoles };
}
