import type { ClusterPlan, PlannedServer } from "../model";

/**
 * Whether what runs on a server of a cluster has ended by our scripts, and is on its disks or elsewhere, before the server
 * goes. Nova stops the others, and waits half an hour for one whose host is down.
 */
export function endsByScripts(server: PlannedServer, cluster: ClusterPlan | undefined): boolean {
  if (cluster === undefined) return false;
  const { master, worker, api, storage } = cluster;
  if (server === storage?.server)
    return server.volumes.every((volume) => storage.mounts.some((mount) => mount.storage === volume.storage));
  const pools = [master, worker, ...(api.kind === "haproxy" ? [api.balancers] : [])];
  return server.volumes.length === 0 && pools.some(({ servers }) => servers.includes(server));
}
