import type { ClusterPlan } from "./model";
import type { PlannedServer } from "../model";

/** What a server of a kubeadm cluster is for. A load balancer on a master is that master. */
export type Role = "master" | "worker" | "balancer" | "storage";

/** Undefined for a server of the instance that is not part of the cluster. */
export function roleOf({ key }: Pick<PlannedServer, "key">, cluster: ClusterPlan): Role | undefined {
  const { master, worker, api, storage } = cluster;
  const isIn = ({ servers }: { readonly servers: readonly PlannedServer[] }) =>
    servers.some((server) => server.key === key);
  if (isIn(master)) return "master";
  if (isIn(worker)) return "worker";
  if (key === storage?.server.key) return "storage";
  return api.kind === "haproxy" && isIn(api.balancers) ? "balancer" : undefined;
}

/**
 * Whether what runs on a server of a cluster has ended by our scripts, and is on its disks or elsewhere, before the server
 * goes. Nova stops the others, and waits half an hour for one whose host is down.
 */
export function endsByScripts(server: PlannedServer, cluster: ClusterPlan | undefined): boolean {
  const role = cluster && roleOf(server, cluster);
  if (role === undefined) return false;
  if (role !== "storage") return server.volumes.length === 0;
  const mounts = cluster?.storage?.mounts ?? [];
  return server.volumes.every(({ storage }) => mounts.some((mount) => mount.storage === storage));
}
