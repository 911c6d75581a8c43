import { listed } from "../openstack/listing";
import { withServers, type InstancePlan } from "../plan/model";
import type { PlannedServer } from "../plan/servers/model";
import { isOwnedBy, type ListedServer } from "../plan/servers/server-owner";
import { dnsLabel } from "../plan/servers/servers";
import type { Cloud } from "./cloud";

/** A server of the project. */
export interface ProjectServer extends ListedServer {
  readonly id: string;
  /** Status of Nova, such as `ACTIVE`. */
  readonly status: string;
  /** Reason of the status ERROR, if Nova gives one. */
  readonly fault?: { readonly message?: string; readonly code?: number };
}

/** A planned server that exists. */
export interface ExistingServer {
  readonly instance: string;
  readonly planned: PlannedServer;
  readonly server: ProjectServer;
}

/** Servers of the project whose names start like those of an instance; some may belong to another instance. */
export function serversLike(instance: string, cloud: Cloud): Promise<readonly ProjectServer[]> {
  // Nova reads the name as a regular expression
  const path = `/servers/detail?name=${encodeURIComponent(`^${dnsLabel(instance)}`)}`;
  return listed(cloud, "compute", path, "servers");
}

/** The existing servers of instances, with any status. */
export async function existingServers(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ExistingServer[]> {
  const existing = withServers(plans).map(async ({ name: instance, servers }) => {
    const like = await serversLike(instance, cloud);
    return servers.flatMap((planned) =>
      like
        .filter((server) => server.name === planned.name && isOwnedBy(instance, server))
        .map((server) => ({ instance, planned, server })),
    );
  });
  return (await Promise.all(existing)).flat();
}
