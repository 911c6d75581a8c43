import { createHash } from "node:crypto";
import type { PlannedExport, StoragePlan } from "../plan/kubeadm/model";
import { ganeshaSettings } from "../plan/kubeadm/nfs-options";

/** Shell variables of storage-server.sh for the exports. */
export function exportData(
  storage: StoragePlan,
): Record<"directories" | "nfs_server" | "nfs_config", string> {
  return {
    directories: [...new Set(storage.exports.map(({ directory }) => directory))].join("\n"),
    nfs_server: storage.nfsServer,
    nfs_config: renderNfsConfig(storage),
  };
}

/** Renders the configuration of the NFS server on the storage server. */
export function renderNfsConfig({ nfsServer, exports }: StoragePlan): string {
  return nfsServer === "ganesha" ? renderGanesha(exports) : renderExports(exports);
}

/** Renders a file of /etc/exports.d for the kernel's NFS server: a line for each directory, with all its clients. */
function renderExports(exports: readonly PlannedExport[]): string {
  return byDirectory(exports)
    .map(([directory, clients]) =>
      [directory, ...clients.map(({ to, options }) => `${to}(${options.join(",")})`)].join(" "),
    )
    .join("\n");
}

/** Renders ganesha.conf with only NFS 4, which needs one port, and neither portmapper nor mount daemon. */
function renderGanesha(exports: readonly PlannedExport[]): string {
  const taken = new Set<number>();
  const blocks = byDirectory(exports).map(([directory, clients]) => [
    "EXPORT {",
    `  Export_Id = ${exportId(directory, taken)};`,
    `  Path = ${directory};`,
    `  Pseudo = ${directory};`,
    "  Protocols = 4;",
    "  Transports = TCP;",
    "  SecType = sys;",
    "  Access_Type = None;",
    "  FSAL { Name = VFS; }",
    ...clients.flatMap(({ to, options }) => {
      const settings = Object.entries(ganeshaSettings(options)).map(([key, value]) => `${key} = ${value};`);
      return [`  CLIENT { Clients = ${to}; Protocols = 4; ${settings.join(" ")} }`];
    }),
    "}",
  ]);
  return [GANESHA_CORE, ...blocks.flat()].join("\n");
}

/**
 * The core section, on one line: a reload ignores its options, so storage-server.sh restarts the server when the line
 * changes. After a restart clients wait for the grace period, in seconds, before they open a file; each of them must
 * renew its lease in that time.
 */
const GANESHA_CORE = [
  "NFS_CORE_PARAM { Protocols = 4; Enable_UDP = false; Enable_RQUOTA = false; }",
  "NFS_KRB5 { Active_krb5 = false; }",
  "NFSv4 { Lease_Lifetime = 20; Grace_Period = 30; }",
].join(" ");

function byDirectory(exports: readonly PlannedExport[]): [string, PlannedExport[]][] {
  const groups = new Map<string, PlannedExport[]>();
  for (const it of exports) groups.set(it.directory, [...(groups.get(it.directory) ?? []), it]);
  return [...groups];
}

/** Returns the id of an export. Clients' file handles contain it, so it depends only on the directory. */
function exportId(directory: string, taken: Set<number>): number {
  const hash = createHash("sha256").update(directory).digest().readUInt16BE();
  let id = Math.max(1, hash);
  while (taken.has(id)) id = (id % 65535) + 1;
  taken.add(id);
  return id;
}
