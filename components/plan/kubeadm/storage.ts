import type { Place } from "../../base/findings";
import { didYouMean, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { ClusterInstallation, StorageServer } from "../../settings/model";
import type { ClusterContext } from "./context";
import { checkConnectionPoint } from "../servers/connection-point";
import type { NodePool, PlannedExport, PlannedMount, StoragePlan } from "./model";
import type { PlannedServer } from "../servers/model";
import { exportOptionFaults } from "./nfs-options";
import { isUnder } from "./paths";
import { ofVdu } from "./pools";
import { planPersistentVolumes } from "./persistent-volumes";

/** The storage server of a cluster and its PersistentVolumes. */
export function planStorage(params: ClusterInstallation, context: ClusterContext): StoragePlan | undefined {
  const { storage_server: storage, pv_registration_params: registrations = [] } = params;
  if (storage === undefined) {
    if (registrations.length > 0) {
      context.place.get("pv_registration_params").fault("needs a storage_server; add one or remove it");
    }
    return undefined;
  }
  const place = context.place.get("storage_server");
  const server = serverOf(storage, place, context);
  const mounts = planMounts(storage, server, place);
  const exports = planExports(storage, mounts, place);
  if (server === undefined) return undefined;
  const connectionPoint = storage.nic_cp_name ?? storage.ssh_cp_name;
  checkConnectionPoint(connectionPoint, place.get("nic_cp_name"), server.vdu.id, context.flavour);
  const pool: NodePool = {
    ...{ role: "storage", vdu: server.vdu.id },
    sshConnectionPoint: storage.ssh_cp_name,
    nodeConnectionPoint: connectionPoint,
    login: { username: storage.username, password: storage.password, privateKey: storage.private_key },
    servers: [server],
  };
  return {
    pool,
    server,
    nfsServer: storage.nfs_server,
    mounts,
    exports,
    persistentVolumes: planPersistentVolumes(registrations, { ...context, server, connectionPoint, exports }),
  };
}

/** The only server of the VDU with the connection point ssh_cp_name. */
function serverOf(
  { ssh_cp_name: name }: StorageServer,
  place: Place,
  context: ClusterContext,
): PlannedServer | undefined {
  const { flavour } = context;
  const vdu = own(flavour.connectionPoints, name)?.vdu;
  if (vdu === undefined) {
    const known = Object.keys(flavour.connectionPoints);
    place
      .get("ssh_cp_name")
      .fault(`"${name}" is not a connection point of the VNFD; ${oneOf(known)}${didYouMean(name, known)}`);
    return undefined;
  }
  const servers = ofVdu(vdu, "storage", context);
  if (servers.length !== 1) {
    place.fault(`VDU ${vdu} has ${servers.length} servers; a storage server must be exactly one`);
  }
  return servers[0];
}

function planMounts(storage: StorageServer, server: PlannedServer | undefined, place: Place): PlannedMount[] {
  const known = server?.volumes.map((volume) => volume.storage) ?? [];
  const seen: PlannedMount[] = [];
  storage.cinder_volume_setup_params.forEach(({ volume_resource_id: id, mount_to: mountTo }, i) => {
    const where = place.get("cinder_volume_setup_params", i);
    if (server !== undefined && !known.includes(id)) {
      where
        .get("volume_resource_id")
        .fault(`"${id}" is not a volume of VDU ${server.vdu.id}; ${oneOf(known)}${didYouMean(id, known)}`);
    }
    if (seen.some((before) => before.storage === id)) {
      where.get("volume_resource_id").fault(`${id} is mounted already; a volume is mounted once`);
    }
    if (isOfSystem(mountTo)) {
      where.get("mount_to").fault(`${mountTo} belongs to the system; use a directory such as /volume`);
    }
    const other = seen.find((before) => isUnder(mountTo, before.mountTo) || isUnder(before.mountTo, mountTo));
    if (other !== undefined) {
      where.get("mount_to").fault(`${mountTo} overlaps ${other.mountTo}; mount volumes next to each other`);
    }
    seen.push({ storage: id, mountTo });
  });
  return seen;
}

/**
 * Default options of exports. Pods of many images start as root and change the owner of their directory, which
 * root_squash forbids.
 */
const DEFAULT_OPTIONS: readonly string[] = ["rw", "sync", "no_subtree_check", "no_root_squash"];

/** Warnings about directories with default options, where root of any client has the rights of root. */
export function squashWarnings({ storage_server: storage }: ClusterInstallation, place: Place): string[] {
  const open = (storage?.nfs_server_setup_params ?? []).filter(
    ({ export_options: options }) => options === undefined,
  );
  if (open.length === 0) return [];
  const directories = [...new Set(open.map(({ export_dir }) => export_dir))].join(", ");
  return [
    `${place.get("storage_server", "nfs_server_setup_params").text}: ${directories}: there are no export_options, so root on a client has root access to it (no_root_squash); ` +
      "set rw,sync,no_subtree_check,root_squash, or no_root_squash if pods start as root",
  ];
}

function planExports(storage: StorageServer, mounts: readonly PlannedMount[], place: Place): PlannedExport[] {
  const seen: PlannedExport[] = [];
  storage.nfs_server_setup_params.forEach(({ export_dir, export_to, export_options }, i) => {
    const where = place.get("nfs_server_setup_params", i);
    if (!mounts.some(({ mountTo }) => isUnder(export_dir, mountTo))) {
      const points = mounts.map(({ mountTo }) => mountTo).join(", ");
      where.get("export_dir").fault(`${export_dir} is on no volume; volumes are mounted to ${points}`);
    }
    if (seen.some(({ directory, to }) => directory === export_dir && to === export_to)) {
      where.fault(`${export_dir} is already exported to ${export_to}; remove one of the two`);
    }
    const options = export_options?.split(",") ?? DEFAULT_OPTIONS;
    for (const fault of exportOptionFaults(options, storage.nfs_server)) {
      where.get("export_options").fault(fault);
    }
    seen.push({ directory: export_dir, to: export_to, options });
  });
  return seen;
}

/** Returns true if a volume mounted at the directory would hide files of the system. */
function isOfSystem(directory: string): boolean {
  return SHARED_DIRECTORIES.includes(directory) || SYSTEM_DIRECTORIES.some((own) => isUnder(directory, own));
}

const SYSTEM_DIRECTORIES = [
  ...["/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys"],
  "/usr",
];
/** Directories that may contain other mounts. */
const SHARED_DIRECTORIES = ["/home", "/opt", "/tmp", "/var", "/var/lib", "/var/log"];
