import type { ClusterPlan } from "./model";
import { isUnder } from "./paths";

/** The server that stores the snapshots of a cluster's etcd. */
export type SnapshotPlace =
  /** The first worker. */
  | { readonly kind: "worker" }
  /** The storage server, in a directory of a volume that stays when the server is replaced. */
  | { readonly kind: "storage"; readonly directory: string };

/**
 * Chooses the server for the snapshots. For a single control plane it is the worker, which also stores its copy while
 * its server is replaced. A volume that is exported as a whole is not used, because NFS clients would see the
 * snapshots. One without any export comes first: NFS confines a client to a file system, and not to a directory of it.
 */
export function snapshotPlace({ api, storage }: Pick<ClusterPlan, "api" | "storage">): SnapshotPlace {
  if (api.kind === "master" || storage === undefined) return { kind: "worker" };
  const exported = storage.exports.map(({ directory }) => directory);
  const possible = storage.mounts.filter(({ mountTo }) => !exported.includes(mountTo));
  const free = possible.find(({ mountTo }) => !exported.some((directory) => isUnder(directory, mountTo)));
  const mount = free ?? possible[0];
  return mount === undefined ? { kind: "worker" } : { kind: "storage", directory: mount.mountTo };
}
