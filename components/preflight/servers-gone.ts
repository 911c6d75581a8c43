import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../fault";
import { Findings } from "../findings";
import { fields, text } from "../kube/object";
import { listed } from "../openstack/listing";
import type { OpenStack } from "../openstack/session";
import { own } from "../own";
import type { FormerOutputs } from "../plan/cluster-api/version-steps";
import { withServers, type InstancePlan } from "../plan/model";
import { printable } from "../printable.cjs";

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
    if (!(error instanceof Fault)) throw error;
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
  const known = withServers(plans).flatMap(({ name, servers }) =>
    servers.flatMap(({ key }) => {
      const id = text(fields(own(fields(own(former, name)?.vnfcs), key))["serverId"]);
      return id === undefined ? [] : [{ name, key, id }];
    }),
  );
  if (known.length === 0) return [];
  const all = await listed<{ readonly id: string }>(await connect(), "compute", "/servers", "servers");
  const there = new Set(all.map(({ id }) => id));
  return known
    .filter(({ id }) => !there.has(id))
    .map(
      ({ name, key, id }) =>
        `${new Findings().instance(name).text}: ${key}: the server ${id} of the last run is gone; a new token under ` +
        `heal makes another one ('vnfm heal ${name} ${key}')`,
    );
}
