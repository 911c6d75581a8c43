import { storageVnf } from "../../support/configs";
import {
  type Contradiction,
  INSTALLATION as K,
  refuseContradictions,
  refuseSettings,
  type WrongSetting,
} from "./support";

const EMPTY = "is empty; set a value or remove it";
const PATH = "is not an absolute path of letters, digits, . _ and - without parts . and .. or a last slash";
const CIDR = "is not an IPv4 CIDR; write one address/prefix length, as in 10.244.0.0/16";
const OPTIONS =
  "must match ^[a-z_]+(=[A-Za-z0-9:.-]+)?(,[a-z_]+(=[A-Za-z0-9:.-]+)?)*$, as in rw,sync,no_subtree_check";
const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";
const S = `${K}.storage_server`;
const P = `${K}.pv_registration_params`;
const MANIFEST = "Files/kubernetes/nfs-pv.yaml";

/** A cluster with a storage server that has nfs-ganesha, one volume and three exports, each with a PersistentVolume. */
const valid = () => structuredClone({ "vnf-a": storageVnf() });

const SERVER: readonly WrongSetting[] = [
  ["ssh_cp_name", undefined, "is required"],
  [
    "ssh_cp_name",
    "storage_CP",
    '"storage_CP" is not a connection point of the VNFD; one of masterNode_CP1, storage_server_CP, workerNode_CP2',
  ],
  [
    "ssh_cp_name",
    "constructor",
    '"constructor" is not a connection point of the VNFD; one of masterNode_CP1, storage_server_CP, workerNode_CP2',
  ],
  ["username", "nfs; reboot", '"nfs; reboot" must match ^[a-z_][a-z0-9_-]{0,31}$, as in debian'],
  ["password", 7, "the secret must be string"],
  ["nfs_server", "samba", '"samba" is not one of kernel, ganesha'],
  ["nfs_server", 4, "4 is not one of kernel, ganesha"],
  ["nfs-server", "kernel", 'unknown setting; did you mean "nfs_server"?'],
  ["cinder_volume_setup_params", undefined, "is required"],
  ["cinder_volume_setup_params", [], EMPTY],
  ["cinder_volume_setup_params", { mount_to: "/volume" }, "a map must be array"],
  ["cinder_volume_setup_params[0]", null, "null must be object"],
  ["cinder_volume_setup_params[0].volume_resource_id", undefined, "is required"],
  ["cinder_volume_setup_params[0].volume_resource_id", "", EMPTY],
  [
    "cinder_volume_setup_params[0].volume_resource_id",
    "storage_volume",
    '"storage_volume" is not a volume of VDU storage_server; one of storage_server_volume',
  ],
  [
    "cinder_volume_setup_params[0].volume_resource_id",
    "toString",
    '"toString" is not a volume of VDU storage_server; one of storage_server_volume',
  ],
  ["cinder_volume_setup_params[0].mount_to", undefined, "is required"],
  ["cinder_volume_setup_params[0].mount_to", "volume", `"volume" ${PATH}`],
  ["cinder_volume_setup_params[0].mount_to", "/", `"/" ${PATH}`],
  ["cinder_volume_setup_params[0].mount_to", "/volume/../etc", `"/volume/../etc" ${PATH}`],
  ["cinder_volume_setup_params[0].mount_to", "/volume/./b", `"/volume/./b" ${PATH}`],
  ["cinder_volume_setup_params[0].mount_to", "/volume/", `"/volume/" ${PATH}`],
  ["cinder_volume_setup_params[0].mount_to", "//volume", `"//volume" ${PATH}`],
  ["cinder_volume_setup_params[0].mount_to", "/$(reboot)", `"/$(reboot)" ${PATH}`],
  ["cinder_volume_setup_params[0].mount_to", "/volume none bind", `"/volume none bind" ${PATH}`],
  ["cinder_volume_setup_params[0].mountto", "/volume", 'unknown setting; did you mean "mount_to"?'],
  ["nfs_server_setup_params", undefined, "is required"],
  ["nfs_server_setup_params", [], EMPTY],
  ["nfs_server_setup_params", "/volume", '"/volume" must be array'],
  ["nfs_server_setup_params[1].export_dir", 5, "5 must be string"],
  ["nfs_server_setup_params[1].export_dir", "/volume *(rw)", `"/volume *(rw)" ${PATH}`],
  ["nfs_server_setup_params[1].export_dir", '/v"; }', `"/v\\"; }" ${PATH}`],
  ["nfs_server_setup_params[1].export_to", undefined, "is required"],
  ["nfs_server_setup_params[1].export_to", "*", `"*" ${CIDR}`],
  ["nfs_server_setup_params[1].export_to", "fd00::/64", `"fd00::/64" ${CIDR}`],
  ["nfs_server_setup_params[1].export_to", "10.0.0.0/8 0.0.0.0/0", `"10.0.0.0/8 0.0.0.0/0" ${CIDR}`],
  ["nfs_server_setup_params[1].export_options", ["rw"], "a list must be string"],
  ["nfs_server_setup_params[1].export_options", "rw, sync", `"rw, sync" ${OPTIONS}`],
  ["nfs_server_setup_params[1].export_options", "rw) *(rw", `"rw) *(rw" ${OPTIONS}`],
  ["nfs_server_setup_params[1].export_options", "RW", `"RW" ${OPTIONS}`],
  ["nfs_server_setup_params[1].export_options", "rw,,sync", `"rw,,sync" ${OPTIONS}`],
  ["nfs_server_setup_params[1].export_options", "", `"" ${OPTIONS}`],
  ["nfs_server_setup_params[1].export_options", "rw; }", `"rw; }" ${OPTIONS}`],
  [
    "nfs_server_setup_params[1].export_from",
    "10.0.0.0/8",
    "unknown setting; allowed: export_dir, export_to, export_options",
  ],
];

refuseSettings("a storage server", S, SERVER, valid);

const VOLUMES: readonly WrongSetting[] = [
  ["pv_registration_params", "pv.yaml", '"pv.yaml" must be array'],
  ["pv_registration_params", [], EMPTY],
  ["pv_registration_params[0].pv_manifest_file_path", undefined, "is required"],
  ["pv_registration_params[0].pv_manifest_file_path", "", EMPTY],
  [
    "pv_registration_params[0].pv_manifest_file_path",
    "pv.yaml",
    "pv.yaml is neither in the package nor next to Pulumi.yaml",
  ],
  [
    "pv_registration_params[0].pv_manifest_file_path",
    "/dev/zero",
    "/dev/zero is neither in the package nor next to Pulumi.yaml",
  ],
  [
    "pv_registration_params[0].pv_manifest_file_path",
    "vnf-packages/web-cnf/Files/kubernetes/service.yaml",
    "vnf-packages/web-cnf/Files/kubernetes/service.yaml, document 1: Service web is not a PersistentVolume",
  ],
  ["pv_registration_params[0].pv_manifest_file_path", "/bin/true", "/bin/true is not a text file"],
  [
    "pv_registration_params[0].nfs_server_cp",
    "masterNode_CP1",
    '"masterNode_CP1" is not a connection point of VDU storage_server; one of storage_server_CP',
  ],
  [
    "pv_registration_params[0].nfs_server_cp",
    "constructor",
    '"constructor" is not a connection point of VDU storage_server; one of storage_server_CP',
  ],
  ["pv_registration_params[0].nfs_server_cps", "x", 'unknown setting; did you mean "nfs_server_cp"?'],
];

refuseSettings("persistent volumes", K, VOLUMES, valid);

const CONTRADICTIONS: readonly Contradiction[] = [
  ["a text as a storage server", { [S]: "nfs" }, `${S}: a text must be object`],
  [
    "a password and a key",
    { [`${S}.password`]: "hunter2", [`${S}.private_key`]: KEY },
    `${S}: set password or private_key, not both`,
  ],
  [
    "persistent volumes without a storage server",
    { [S]: undefined },
    `${P}: needs a storage_server; add one or remove it`,
  ],
  [
    "a storage server of a flavour that has none",
    {
      "vnf-a.flavour": "simple",
      "vnf-a.images": undefined,
      "vnf-a.extVirtualLinks.storage_server_CP": undefined,
    },
    `${S}.ssh_cp_name: "storage_server_CP" is not a connection point of the VNFD; one of masterNode_CP1, workerNode_CP2`,
  ],
  [
    "the workers' VDU as storage server",
    { [`${S}.ssh_cp_name`]: "workerNode_CP2", [P]: undefined },
    `${S}.cinder_volume_setup_params[0].volume_resource_id: "storage_server_volume" is not a volume of VDU workerNode; none is defined`,
    `${S}: uses the VDU of worker_node, workerNode; use another VDU`,
  ],
  [
    "a volume that is mounted twice",
    {
      [`${S}.cinder_volume_setup_params[1]`]: {
        volume_resource_id: "storage_server_volume",
        mount_to: "/volume/b",
      },
    },
    `${S}.cinder_volume_setup_params[1].volume_resource_id: storage_server_volume is mounted already; a volume is mounted once`,
    `${S}.cinder_volume_setup_params[1].mount_to: /volume/b overlaps /volume; mount volumes next to each other`,
  ],
  ...["/etc", "/etc/ssh", "/usr/lib/systemd", "/var/lib"].map((directory): Contradiction => [
    "a volume over a directory of the system",
    {
      [`${S}.cinder_volume_setup_params[0].mount_to`]: directory,
      [`${S}.nfs_server_setup_params`]: [{ export_dir: `${directory}/nfs`, export_to: "198.19.0.0/24" }],
      [P]: undefined,
    },
    `${S}.cinder_volume_setup_params[0].mount_to: ${directory} belongs to the system; use a directory such as /volume`,
  ]),
  [
    "exports of what is on no volume",
    { [`${S}.cinder_volume_setup_params[0].mount_to`]: "/volumes" },
    ...[0, 1, 2].map(
      (i) =>
        `${S}.nfs_server_setup_params[${i}].export_dir: /volume/nfs/pv${i + 1} is on no volume; volumes are mounted to /volumes`,
    ),
  ],
  [
    "an export that is there already",
    { [`${S}.nfs_server_setup_params[3]`]: { export_dir: "/volume/nfs/pv1", export_to: "198.19.0.7/24" } },
    `${S}.nfs_server_setup_params[3]: /volume/nfs/pv1 is already exported to 198.19.0.0/24; remove one of the two`,
  ],
  [
    "a persistent volume that is not exported",
    { [`${S}.nfs_server_setup_params[2].export_dir`]: "/volume/nfs/pv30" },
    `${P}[0].pv_manifest_file_path: ${MANIFEST}, document 3: PersistentVolume nfs-pv3 is at /volume/nfs/pv3, which is not exported; one of /volume/nfs/pv1, /volume/nfs/pv2, /volume/nfs/pv30`,
  ],
  [
    "persistent volumes that are registered twice",
    { [`${P}[1]`]: { pv_manifest_file_path: MANIFEST, nfs_server_cp: "storage_server_CP" } },
    ...[1, 2, 3].map(
      (i) =>
        `${P}[1].pv_manifest_file_path: ${MANIFEST}, document ${i}: PersistentVolume nfs-pv${i} is already in ${MANIFEST}; remove one of the two`,
    ),
  ],
  [
    "options that the kernel's NFS server would refuse once it is there",
    {
      [`${S}.nfs_server`]: "kernel",
      [`${S}.nfs_server_setup_params[0].export_options`]: "rw,no_root_sqash,constructor,sync=1",
      [`${S}.nfs_server_setup_params[1].export_options`]: "anonuid=4294967296,fsid,sec=krb4",
    },
    `${S}.nfs_server_setup_params[0].export_options: no_root_sqash is not an option of exports(5); did you mean "no_root_squash"?`,
    `${S}.nfs_server_setup_params[0].export_options: constructor is not an option of exports(5)`,
    `${S}.nfs_server_setup_params[0].export_options: sync=1 is not an option of exports(5); did you mean "sync"?`,
    `${S}.nfs_server_setup_params[1].export_options: anonuid=4294967296: anonuid needs a number up to 4294967295, as in anonuid=1000`,
    `${S}.nfs_server_setup_params[1].export_options: fsid: fsid needs root, a number or a UUID, as in fsid=root`,
    `${S}.nfs_server_setup_params[1].export_options: sec=krb4: sec needs sys, none or krb5, krb5i, krb5p, as in sec=sys`,
  ],
  [
    "options that nfs-ganesha has not, named like what every object has",
    { [`${S}.nfs_server_setup_params[0].export_options`]: "rw,constructor=1,__proto__" },
    ...["constructor=1", "__proto__"].map(
      (option) =>
        `${S}.nfs_server_setup_params[0].export_options: ${option} is not an option that nfs-ganesha has; use all_squash, anongid, anonuid, insecure, no_all_squash, no_root_squash, no_subtree_check, ro, root_squash, rw, secure, sync, or nfs_server: kernel`,
    ),
  ],
  [
    "options that contradict each other",
    { [`${S}.nfs_server_setup_params[0].export_options`]: "rw,ro,root_squash,no_root_squash" },
    `${S}.nfs_server_setup_params[0].export_options: rw and ro contradict each other; remove one of the two`,
    `${S}.nfs_server_setup_params[0].export_options: root_squash and no_root_squash contradict each other; remove one of the two`,
  ],
  [
    "an export of several lines",
    { [`${S}.nfs_server_setup_params[0].export_dir`]: "/volume\n/etc" },
    `${S}.nfs_server_setup_params[0].export_dir: "/volume\\n/etc" ${PATH}`,
    `${S}.nfs_server_setup_params[0].export_dir: has the control character U+000A; write plain text on one line`,
  ],
];

refuseContradictions(CONTRADICTIONS, valid);
