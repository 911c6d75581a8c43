import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "./cluster";
import { mustRun } from "./command";
import { guestPath, LAB } from "./lab";
import type { TestStack } from "./stack";

/** VNFC name of the storage server. */
export const STORAGE = "storage_server-1";

/** The storage server of `vnf-a`. */
export interface StorageServer {
  readonly serverId: string;
  readonly address: string;
  /** Id of the Cinder volume. */
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

/** Reads the paths of the exports in nfs-ganesha's configuration, from the server's disk. */
export function exportedPaths({ serverId }: StorageServer): readonly (string | undefined)[] {
  const configuration = readFileSync(guestPath(serverId, "etc/ganesha/ganesha.conf"), "utf8");
  return [...configuration.matchAll(/ Path = (\S+);/g)].map(([, path]) => path);
}

/** Reads the UUID of the volume's file system. */
export async function fileSystemUuid({ volume }: StorageServer): Promise<string> {
  const file = join(LAB, "state/cinder/volumes", `volume-${volume}`);
  return (await mustRun("blkid", ["-p", "-o", "value", "-s", "UUID", file])).trim();
}

/** Lists name, server with path, and phase of each PersistentVolume. */
export async function persistentVolumes(
  cluster: Cluster,
): Promise<readonly (readonly [name: string, nfs: object, phase: string])[]> {
  const volumes = await cluster.list<PersistentVolume>("persistentvolumes");
  return volumes.map(({ metadata, spec, status }) => [metadata.name, spec.nfs, status.phase]);
}

/** Returns the package's three volumes on this server, in the form of `persistentVolumes`. */
export function packageVolumes({ address }: StorageServer, phases: readonly [string, string, string]) {
  return phases.map((phase, i) => [
    `nfs-pv${i + 1}`,
    { server: address, path: `/volume/nfs/pv${i + 1}` },
    phase,
  ]);
}
