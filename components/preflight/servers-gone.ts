import * as pulumi from "@pulumi/pulumi";
import { Findings } from "../base/findings";
import { listed } from "../openstack/listing";
import type { FormerOutputs } from "../plan/former-outputs";
import { formerServers } from "../plan/former-servers";
import type { InstancePlan } from "../plan/model";
import { printable } from "../base/printable";
import { answered, type Connect } from "./cloud";

/**
 * Warns about servers of the last run that the cloud no longer has: they are in the state, so the run would treat them
 * as existing, and wait for them.
 * @param connect connects to the cloud, which is needed only if the last run had servers
 */
export async function warnOfServersGone(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  connect: Connect,
): Promise<void> {
  const warnings = await answered(
    () => serversGone(plans, former, connect),
    ({ message }) => {
      // an unreachable cloud is reported by the checks that need it
      void pulumi.log.debug(printable(`the list of missing servers is not known: ${message}`));
      return [];
    },
  );
  for (const warning of warnings) void pulumi.log.warn(printable(warning));
}

/** Warnings about planned servers of the last run that no longer exist. */
export async function serversGone(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  connect: Connect,
): Promise<readonly string[]> {
  const known = formerServers(plans, former);
  if (known.length === 0) return [];
  const all = await listed<{ readonly id: string }>(await connect(), "compute", "/servers", "servers");
  const there = new Set(all.map(({ id }) => id));
  return known
    .filter(({ id }) => !there.has(id))
    .map(
      ({ instance, key, id }) =>
        `${new Findings().instance(instance).text}: ${key}: the server ${id} of the last update no longer exists; a new trigger value under ` +
        `heal creates another one ('vnfm heal ${instance} ${key}')`,
    );
}
