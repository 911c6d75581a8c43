import type { PlannedServer } from "../servers/model";
import type { ClusterPlan, NodePool } from "./model";
import type { Role } from "../servers/model";

type Pools = Pick<ClusterPlan, "pools">;

/** The servers of a VDU, with a role. */
export function ofVdu(
  vdu: string | undefined,
  role: Role,
  { servers }: { readonly servers: readonly PlannedServer[] },
): PlannedServer[] {
  return servers.filter((server) => server.vdu.id === vdu).map((server) => ({ ...server, role }));
}

/** The servers of an instance, with roles for those of its cluster. */
export function withRoles(servers: readonly PlannedServer[], { pools }: Pools): PlannedServer[] {
  const members = new Map(pools.flatMap((pool) => pool.servers.map((server) => [server.key, server])));
  return servers.map((server) => members.get(server.key) ?? server);
}

/** The pools of a role: one of masters, at most one of load balancers and of storage. */
export function poolsOf({ pools }: Pools, role: Role): readonly NodePool[] {
  return pools.filter((pool) => pool.role === role);
}

/** The servers of a role. */
export function serversOfRole(cluster: Pools, role: Role): readonly PlannedServer[] {
  return poolsOf(cluster, role).flatMap(({ servers }) => servers);
}

export function masterPool(cluster: Pools): NodePool {
  const [pool] = poolsOf(cluster, "master");
  if (pool === undefined) throw new Error("the plan has no masters");
  return pool;
}

/** The pools whose servers are nodes of Kubernetes. */
export function nodePools({ pools }: Pools): readonly NodePool[] {
  return pools.filter(({ role }) => isNode(role));
}

function isNode(role: Role): boolean {
  switch (role) {
    case "master":
    case "worker":
      return true;
    case "balancer":
    case "storage":
      return false;
  }
}

/**
 * Returns true if vnfm's scripts stop all programs of a server, and save their data, before the server is deleted. Nova
 * first shuts down any other server, which takes half an hour if the compute host is down.
 */
export function endsByScripts(
  { role, volumes }: PlannedServer,
  cluster: Pick<ClusterPlan, "storage"> | undefined,
): boolean {
  if (role === undefined) return false;
  switch (role) {
    case "master":
    case "worker":
    case "balancer":
      return volumes.length === 0;
    case "storage": {
      const mounts = cluster?.storage?.mounts ?? [];
      return volumes.every(({ storage }) => mounts.some((mount) => mount.storage === storage));
    }
  }
}
