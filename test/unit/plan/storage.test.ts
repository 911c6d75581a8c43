import { planServers } from "../../../components/plan/servers/servers";
import { planStorage, squashWarnings } from "../../../components/plan/kubeadm/storage";
import { parseSettings } from "../../../components/settings/parse";
import type { ClusterInstallation, VnfSettings } from "../../../components/settings/model";
import { clusterFlavour, connectionPoint, vdu, vnfSettings } from "../fixtures";
import { placeOf } from "../places";

const base = clusterFlavour();
const flavour = clusterFlavour({
  vdus: { ...base.vdus, storage_server: vdu("storage_server", { volumes: ["data", "more"] }) },
  connectionPoints: { ...base.connectionPoints, storage_CP: connectionPoint("storage_CP", "storage_server") },
  volumes: Object.fromEntries(
    ["data", "more"].map((id) => [id, { id, sizeGiB: 10, image: undefined, volumeType: undefined }]),
  ),
});
const networks = Object.fromEntries(
  ["masterNode_CP1", "workerNode_CP2", "storage_CP"].map((cp) => [cp, { network: "n" }]),
);

const volume = (name: string, path: string) =>
  `{apiVersion: v1, kind: PersistentVolume, metadata: {name: ${name}}, spec: {nfs: {path: ${path}}}}\n`;
const manifests: Record<string, string> = {
  "pv.yaml": `${volume("pv1", "/volume/nfs/pv1")}---\n${volume("pv2", "/volume/nfs/pv1/below")}`,
  "other.yaml": [
    volume("pv1", "/volume/nfs/pv1"),
    volume("pv3", "/volume/nfs/pv10"),
    volume("pv4", "/volume/nfs/pv1/../../secret"),
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: pv1}}\n",
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: local}, spec: {hostPath: {path: /x}}}\n",
  ].join("---\n"),
  "broken.yaml": "a: [\n",
  "empty.yaml": "---\n",
};

const mount = (volume_resource_id: string, mount_to: string) => ({ volume_resource_id, mount_to });
const share = (export_dir: string, changes: object = {}) => ({
  export_dir,
  export_to: "10.10.0.0/24",
  ...changes,
});
const registration = (pv_manifest_file_path: string, nfs_server_cp = "storage_CP") => ({
  pv_manifest_file_path,
  nfs_server_cp,
});

/** The parameters with their defaults, as the settings have them. */
function parsed(storage: object | undefined, registrations?: object[]): ClusterInstallation {
  const k8s_cluster_installation_param = {
    master_node: { ssh_cp_name: "masterNode_CP1" },
    worker_node: { ssh_cp_name: "workerNode_CP2" },
    ...(storage && {
      storage_server: {
        ssh_cp_name: "storage_CP",
        cinder_volume_setup_params: [mount("data", "/volume")],
        nfs_server_setup_params: [share("/volume/nfs/pv1")],
        ...storage,
      },
    }),
    ...(registrations && { pv_registration_params: registrations }),
  };
  const { settings } = parseSettings({
    v: { package: "p", additionalParams: { k8s_cluster_installation_param } },
  });
  return settings.vnfs["v"]?.additionalParams?.k8s_cluster_installation_param as ClusterInstallation;
}

function plan(
  storage: object | undefined,
  registrations?: object[],
  count = 1,
  changes: Partial<VnfSettings> = {},
  ofFlavour = flavour,
) {
  const place = placeOf("k8s");
  const counts = { masterNode: 1, workerNode: 1, storage_server: count };
  const settings = vnfSettings({ extVirtualLinks: networks, ...changes });
  const servers = planServers("vnf-a", place.findings.at("vnf"), settings, ofFlavour, counts);
  const readText = (path: string) => manifests[path];
  const context = {
    ...{ instance: "vnf-a", place },
    ...{ flavour: ofFlavour, servers, networks: [], virtualIps: [], readText },
  };
  return { plan: planStorage(parsed(storage, registrations), context), faults: place.findings.texts };
}

describe("planStorage", () => {
  it("plans nothing where there is no storage server, and says what needs one", () => {
    expect(plan(undefined)).toEqual({ plan: undefined, faults: [] });
    expect(plan(undefined, [registration("pv.yaml")]).faults).toEqual([
      "k8s.pv_registration_params: needs a storage_server; add one or remove it",
    ]);
  });

  it("plans mounts, exports and the volumes of every document of a manifest", () => {
    const { plan: storage, faults } = plan({}, [registration("pv.yaml")]);
    expect(faults).toEqual([]);
    expect(storage).toMatchObject({
      server: { key: "storage_server-1" },
      pool: {
        ...{ role: "storage", vdu: "storage_server", sshConnectionPoint: "storage_CP" },
        ...{ nodeConnectionPoint: "storage_CP", login: { username: "debian" } },
      },
      nfsServer: "kernel",
      mounts: [{ storage: "data", mountTo: "/volume" }],
      exports: [
        {
          directory: "/volume/nfs/pv1",
          to: "10.10.0.0/24",
          options: ["rw", "sync", "no_subtree_check", "no_root_squash"],
        },
      ],
      persistentVolumes: [
        { name: "pv1", connectionPoint: "storage_CP" },
        { name: "pv2", connectionPoint: "storage_CP" },
      ],
    });
  });

  it("mounts the address at nic_cp_name, by default that at ssh_cp_name, where a registration names none", () => {
    const connectionPoints = {
      ...flavour.connectionPoints,
      nfs_CP: connectionPoint("nfs_CP", "storage_server"),
    };
    const ofRegistration = (storage: object, nfs_server_cp?: string) => {
      const extVirtualLinks = { ...networks, nfs_CP: { network: "n" } };
      const registrations = [{ pv_manifest_file_path: "pv.yaml", ...(nfs_server_cp && { nfs_server_cp }) }];
      const planned = plan(storage, registrations, 1, { extVirtualLinks }, { ...flavour, connectionPoints });
      return [planned.plan?.persistentVolumes[0]?.connectionPoint, ...planned.faults];
    };
    expect(ofRegistration({})).toEqual(["storage_CP"]);
    expect(ofRegistration({ nic_cp_name: "nfs_CP" })).toEqual(["nfs_CP"]);
    expect(ofRegistration({ nic_cp_name: "nfs_CP" }, "storage_CP")).toEqual(["storage_CP"]);
    expect(ofRegistration({ nic_cp_name: "nfs_CP1" })).toEqual([
      "nfs_CP1",
      'k8s.storage_server.nic_cp_name: "nfs_CP1" is not a connection point of VDU storage_server; one of nfs_CP, storage_CP',
    ]);
  });

  it("gives each server its volumes, protected unless the settings say otherwise", () => {
    const volumes = (protectVolumes: boolean) =>
      plan({}, undefined, 1, { protectVolumes }).plan?.server.volumes.map(({ storage, protect }) => [
        storage,
        protect,
      ]);
    expect(volumes(true)).toEqual([
      ["data", true],
      ["more", true],
    ]);
    expect(volumes(false)).toEqual([
      ["data", false],
      ["more", false],
    ]);
  });

  it.each<[string, object, readonly string[]]>([
    [
      "an unknown connection point",
      { ssh_cp_name: "storage_CP1" },
      [
        'ssh_cp_name: "storage_CP1" is not a connection point of the VNFD; one of masterNode_CP1, storage_CP, workerNode_CP2',
      ],
    ],
    [
      "the workers' VDU",
      { ssh_cp_name: "workerNode_CP2" },
      [
        'cinder_volume_setup_params[0].volume_resource_id: "data" is not a volume of VDU workerNode; none is defined',
      ],
    ],
    [
      "an unknown volume",
      { cinder_volume_setup_params: [mount("date", "/volume")] },
      [
        'cinder_volume_setup_params[0].volume_resource_id: "date" is not a volume of VDU storage_server; one of data, more; did you mean "data"?',
      ],
    ],
    [
      "a volume that is mounted twice, one below the other",
      { cinder_volume_setup_params: [mount("data", "/volume"), mount("data", "/volume/more")] },
      [
        "cinder_volume_setup_params[1].volume_resource_id: data is mounted already; a volume is mounted once",
        "cinder_volume_setup_params[1].mount_to: /volume/more overlaps /volume; mount volumes next to each other",
      ],
    ],
    [
      "a directory of the system",
      {
        cinder_volume_setup_params: [mount("data", "/var")],
        nfs_server_setup_params: [share("/var/nfs")],
      },
      ["cinder_volume_setup_params[0].mount_to: /var belongs to the system; use a directory such as /volume"],
    ],
    [
      "an export that is on no volume, though its name begins like one",
      { nfs_server_setup_params: [share("/volume2/pv1")] },
      ["nfs_server_setup_params[0].export_dir: /volume2/pv1 is on no volume; volumes are mounted to /volume"],
    ],
    [
      "an export that is there already",
      {
        nfs_server_setup_params: [
          share("/volume/a"),
          share("/volume/a"),
          share("/volume/a", { export_to: "10.11.0.0/24" }),
        ],
      },
      ["nfs_server_setup_params[1]: /volume/a is already exported to 10.10.0.0/24; remove one of the two"],
    ],
    [
      "options that nfs-ganesha has not",
      {
        nfs_server: "ganesha",
        nfs_server_setup_params: [share("/volume/a", { export_options: "rw,crossmnt,anonuid=x,anongid=5" })],
      },
      [
        "nfs_server_setup_params[0].export_options: crossmnt is not an option that nfs-ganesha has; use all_squash, anongid, anonuid, insecure, no_all_squash, no_root_squash, no_subtree_check, ro, root_squash, rw, secure, sync, or nfs_server: kernel",
        "nfs_server_setup_params[0].export_options: anonuid=x: anonuid needs a number up to 4294967295, as in anonuid=1000",
      ],
    ],
  ])("refuses %s", (_, storage, expected) => {
    const path = "k8s.storage_server";
    expect(plan(storage).faults).toEqual(
      expected.map((fault) => (fault.startsWith(":") ? `${path}${fault}` : `${path}.${fault}`)),
    );
  });

  it.each([
    "ro,async,insecure,all_squash,no_root_squash,anonuid=0,anongid=4294967295,crossmnt,mp",
    "fsid=root",
    "fsid=0",
    "fsid=6a2f0f2c-8b1d-4c3e-9f00-0123456789ab",
    "sec=krb5:krb5i,rw,sec=sys,ro",
  ])("takes what exports(5) has for the kernel's NFS server: %s", (export_options) => {
    const { plan: storage, faults } = plan({
      nfs_server_setup_params: [share("/volume/a", { export_options })],
    });
    expect(faults).toEqual([]);
    expect(storage?.exports.map(({ options }) => options.join(","))).toEqual([export_options]);
  });

  it("refuses more than one server", () => {
    expect(plan({}, undefined, 2).faults).toEqual([
      "k8s.storage_server: VDU storage_server has 2 servers; a storage server must be exactly one",
    ]);
  });

  it("refuses manifests that are not there, do not parse, or have no volumes of this server", () => {
    const files = ["pv.yaml", "missing.yaml", "broken.yaml", "empty.yaml"].map((file) => registration(file));
    const { faults } = plan({}, [...files, registration("other.yaml", "masterNode_CP1")]);
    const at = (i: number) => `k8s.pv_registration_params[${i}].pv_manifest_file_path`;
    expect(faults).toEqual([
      `${at(1)}: missing.yaml is neither in the package nor next to Pulumi.yaml`,
      expect.stringContaining(`${at(2)}: broken.yaml:`) as string,
      `${at(3)}: empty.yaml contains no PersistentVolume`,
      'k8s.pv_registration_params[4].nfs_server_cp: "masterNode_CP1" is not a connection point of VDU storage_server; one of storage_CP',
      `${at(4)}: other.yaml, document 1: PersistentVolume pv1 is already in pv.yaml; remove one of the two`,
      `${at(4)}: other.yaml, document 2: PersistentVolume pv3 is at /volume/nfs/pv10, which is not exported; one of /volume/nfs/pv1`,
      `${at(4)}: other.yaml, document 3: PersistentVolume pv4 is at /volume/nfs/pv1/../../secret, which is not exported; one of /volume/nfs/pv1`,
      `${at(4)}: other.yaml, document 4: ConfigMap pv1 is not a PersistentVolume`,
      `${at(4)}: other.yaml, document 5: PersistentVolume local has no spec.nfs.path; only volumes of the storage server are registered`,
    ]);
  });
});

it("the preview tells each directory whose root is that of any client, where nobody has said that it may be", () => {
  const options = (export_options: string) => ({ export_options });
  const shares = [
    share("/volume/a"),
    share("/volume/a", { export_to: "10.11.0.0/24" }),
    share("/volume/b", options("rw,root_squash")),
    share("/volume/c", options("rw,no_root_squash")),
    share("/volume/d"),
  ];
  expect(squashWarnings(parsed({ nfs_server_setup_params: shares }), placeOf("k8s"))).toEqual([
    "k8s.storage_server.nfs_server_setup_params: /volume/a, /volume/d: there are no export_options, so root on a client has root access to it (no_root_squash); set rw,sync,no_subtree_check,root_squash, or no_root_squash if pods start as root",
  ]);
  expect(squashWarnings(parsed({ nfs_server_setup_params: shares.slice(2, 4) }), placeOf("k8s"))).toEqual([]);
  expect(squashWarnings(parsed(undefined), placeOf("k8s"))).toEqual([]);
});
