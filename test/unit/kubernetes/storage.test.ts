import { renderNfsConfig } from "../../../components/render/nfs-config";
import { nameOf, storageIngress } from "../../../components/deploy/openstack/ingress";
import type { PlannedServer, StoragePlan } from "../../../components/plan/model";

const exported = (directory: string, to: string, options: string) => ({
  directory,
  to,
  options: options.split(","),
});
const storage: StoragePlan = {
  server: { name: "vnf-a-storage" } as PlannedServer,
  sshConnectionPoint: "CP",
  login: { username: "debian", password: undefined, privateKey: undefined },
  nfsServer: "kernel",
  mounts: [{ storage: "data", mountTo: "/volume" }],
  exports: [
    exported("/volume/a", "10.10.0.0/24", "rw,sync,no_subtree_check,no_root_squash"),
    exported("/volume/b", "10.10.0.0/24", "ro"),
    exported("/volume/a", "fd00::/64", "ro,all_squash,anonuid=1000,insecure"),
  ],
  persistentVolumes: [],
};

describe("configuration of the NFS server", () => {
  it("of the kernel is a line a directory, its clients beside each other", () => {
    expect(renderNfsConfig(storage).split("\n")).toEqual([
      "/volume/a 10.10.0.0/24(rw,sync,no_subtree_check,no_root_squash) fd00::/64(ro,all_squash,anonuid=1000,insecure)",
      "/volume/b 10.10.0.0/24(ro)",
    ]);
  });

  it("of nfs-ganesha says what the options of exports(5) mean, and keeps what these are by default", () => {
    const text = renderNfsConfig({ ...storage, nfsServer: "ganesha" });
    const clients = text.split("\n").filter((line) => line.includes("CLIENT"));
    expect(clients.map((line) => line.trim())).toEqual([
      "CLIENT { Clients = 10.10.0.0/24; Protocols = 4; Access_Type = RW; Squash = No_Root_Squash; PrivilegedPort = true; }",
      "CLIENT { Clients = fd00::/64; Protocols = 4; Access_Type = RO; Squash = All_Squash; PrivilegedPort = false; Anonymous_Uid = 1000; }",
      "CLIENT { Clients = 10.10.0.0/24; Protocols = 4; Access_Type = RO; Squash = Root_Squash; PrivilegedPort = true; }",
    ]);
    expect(text).toMatch(
      /^NFS_CORE_PARAM \{ Protocols = 4;.*\}\nEXPORT \{\n {2}Export_Id = \d+;\n {2}Path = \/volume\/a;/,
    );
  });

  it("of nfs-ganesha squashes all where that is said, whatever is said of root, as the kernel does", () => {
    const exports = [exported("/volume/a", "10.10.0.0/24", "rw,all_squash,no_root_squash")];
    expect(renderNfsConfig({ ...storage, nfsServer: "ganesha", exports })).toContain(" Squash = All_Squash;");
  });

  it("of nfs-ganesha keeps a directory's id when others come and go: clients' file handles have it", () => {
    const ids = (exports: StoragePlan["exports"]) =>
      renderNfsConfig({ ...storage, nfsServer: "ganesha", exports }).match(/Export_Id = \d+/g);
    const [a, b] = ids(storage.exports) ?? [];
    expect(a).not.toBe(b);
    expect(ids(storage.exports.slice(1, 2))).toEqual([b]);
  });
});

describe("security group of a storage server", () => {
  it("lets in NFS from where it exports to, once each, and SSH from management", () => {
    const rules = storageIngress({ storage, managementCidrs: ["198.19.0.0/24"] });
    expect(rules.map(nameOf)).toEqual([
      "tcp-22-198.19.0.0/24",
      "tcp-2049-10.10.0.0/24",
      "tcp-2049-fd00::/64",
    ]);
  });
});
