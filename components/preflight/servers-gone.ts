import * as pulumi from "@pulumi/pulumi";
import { assertFault } from "../base/fault";
import { Findings } from "../base/findings";
import { listed } from "../openstack/listing";
import type { OpenStack } from "../openstack/session";
import type { FormerOutputs } from "../plan/former-outputs";
import { formerServers } from "../plan/former-servers";
import type { InstancePlan } from "../plan/model";
import { printable } from "../base/printable";

type Cloud = Pick<OpenStack, "get">;

/**
 * Warns of servers of the last run that the cloud does not have any more: the state has them, so the run would take them
 * for servers that are there, and wait for them.
 *
 * @param connect to the cloud, which is done only where the last run has shown servers
 */
export async function tellServersGone(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  connect: () => Promise<Cloud>,
): Promise<void> {
  try {
    for (const warning of await serversGone(plans, former, connect)) void pulumi.log.warn(printable(warning));
  } catch (error) {
    assertFault(error);
    // a cloud that is away says so where it is needed
    void pulumi.log.debug(printable(`servers that are gone are not known: ${error.message}`));
  }
}

/** A warning for each server that is wanted, was there, and is gone. */
export async function serversGone(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  connect: () => Promise<Cloud>,
): Promise<readonly string[]> {
  const known = formerServers(plans, former);
  if (known.length === 0) return [];
  const all = await listed<{ readonly id: string }>(await connect(), "compute", "/servers", "servers");
  const there = new Set(all.map(({ id }) => id));
  return known
    .filter(({ id }) => !there.has(id))
    .map(
      ({ instance, key, id }) =>
        `${new Findings().instance(instance).text}: ${key}: the server ${id} of the last run is gone; a new token under ` +
        `heal makes another one ('vnfm heal ${instance} ${key}')`,
    );
}
