import { exportData, renderNfsConfig } from "../../../components/render/nfs-config";
import type { StoragePlan } from "../../../components/plan/kubeadm/model";
import { exported, storage } from "./storage";

describe("configuration of the NFS server", () => {
  it("has a line for each directory of the kernel's server, with its clients beside each other", () => {
    expect(renderNfsConfig(storage).split("\n")).toEqual([
      "/volume/a 10.10.0.0/24(rw,sync,no_subtree_check,no_root_squash) fd00::/64(ro,all_squash,anonuid=1000,insecure)",
      "/volume/b 10.10.0.0/24(ro)",
    ]);
  });

  it("has the options of exports(5) in terms of nfs-ganesha, with the defaults of these options", () => {
    expect(renderNfsConfig({ ...storage, nfsServer: "ganesha" }).split("\n")).toEqual([
      "NFS_CORE_PARAM { Protocols = 4; Enable_UDP = false; Enable_RQUOTA = false; } " +
        "NFS_KRB5 { Active_krb5 = false; } NFSv4 { Lease_Lifetime = 20; Grace_Period = 30; }",
      "EXPORT {",
      "  Export_Id = 34380;",
      "  Path = /volume/a;",
      "  Pseudo = /volume/a;",
      "  Protocols = 4;",
      "  Transports = TCP;",
      "  SecType = sys;",
      "  Access_Type = None;",
      "  FSAL { Name = VFS; }",
      "  CLIENT { Clients = 10.10.0.0/24; Protocols = 4; Access_Type = RW; Squash = No_Root_Squash; PrivilegedPort = true; }",
      "  CLIENT { Clients = fd00::/64; Protocols = 4; Access_Type = RO; Squash = All_Squash; PrivilegedPort = false; Anonymous_Uid = 1000; }",
      "}",
      "EXPORT {",
      "  Export_Id = 23763;",
      "  Path = /volume/b;",
      "  Pseudo = /volume/b;",
      "  Protocols = 4;",
      "  Transports = TCP;",
      "  SecType = sys;",
      "  Access_Type = None;",
      "  FSAL { Name = VFS; }",
      "  CLIENT { Clients = 10.10.0.0/24; Protocols = 4; Access_Type = RO; Squash = Root_Squash; PrivilegedPort = true; }",
      "}",
    ]);
  });

  it("squashes all in nfs-ganesha if that is set, whatever is set for root, as the kernel does", () => {
    const exports = [exported("/volume/a", "10.10.0.0/24", "rw,all_squash,no_root_squash")];
    expect(renderNfsConfig({ ...storage, nfsServer: "ganesha", exports })).toContain(" Squash = All_Squash;");
  });

  it("keeps a directory's id in nfs-ganesha when others come and go, as clients' file handles contain it", () => {
    const ids = (exports: StoragePlan["exports"]) =>
      renderNfsConfig({ ...storage, nfsServer: "ganesha", exports }).match(/Export_Id = \d+/g);
    const [a, b] = ids(storage.exports) ?? [];
    expect(a).not.toBe(b);
    expect(ids(storage.exports.slice(1, 2))).toEqual([b]);
  });
});

it("the script gets each directory once, beside the server and its configuration", () => {
  expect(exportData(storage)).toEqual({
    directories: "/volume/a\n/volume/b",
    nfs_server: "kernel",
    nfs_config: renderNfsConfig(storage),
  });
});
