import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "./cluster";
import { mustRun } from "./command";
import { guestPath, LAB } from "./lab";
import type { TestStack } from "./stack";

/** The VNFC of the storage server. */
export const STORAGE = "storage_server-1";

/** The storage server of `vnf-a`. */
export interface StorageServer {
  readonly serverId: string;
  readonly address: string;
  /** Id of its volume. */
  readonly volume: string;
}

interface PersistentVolume {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nfs: { readonly server: string; readonly path: string } };
  readonly status: { readonly phase: string };
}

export async function storageServer(stack: TestStack): Promise<StorageServer> {
  const { vnfcs } = await stack.vnf("vnf-a");
  const { serverId = "", addresses = {}, volumes = {} } = vnfcs[STORAGE] ?? {};
  return {
    serverId,
    address: addresses["storage_server_CP"] ?? "",
    volume: volumes["storage_server_volume"] ?? "",
  };
}

/** Paths of the exports in nfs-ganesha's configuration, as it is on the server's disk. */
export function exportedPaths({ serverId }: StorageServer): readonly (string | undefined)[] {
  const configuration = readFileSync(guestPath(serverId, "etc/ganesha/ganesha.conf"), "utf8");
  return [...configuration.matchAll(/ Path = (\S+);/g)].map(([, path]) => path);
}

/** Reads the UUID of the file system from the volume itself. */
export async function fileSystemUuid({ volume }: StorageServer): Promise<string> {
  const file = join(LAB, "state/cinder/volumes", `volume-${volume}`);
  return (await mustRun("blkid", ["-p", "-o", "value", "-s", "UUID", file])).trim();
}

/** Name, place and phase of each PersistentVolume. */
export async function persistentVolumes(
  cluster: Cluster,
): Promise<readonly (readonly [name: string, nfs: object, phase: string])[]> {
  const volumes = await cluster.list<PersistentVolume>("persistentvolumes");
  return volumes.map(({ metadata, spec, status }) => [metadata.name, spec.nfs, status.phase]);
}

/** The volumes of the package at this server, as `persistentVolumes` has them. @param phases of the three */
export function packageVolumes({ address }: StorageServer, phases: readonly [string, string, string]) {
  return phases.map((phase, i) => [
    `nfs-pv${i + 1}`,
    { server: address, path: `/volume/nfs/pv${i + 1}` },
    phase,
  ]);
}
