import type { StoragePlan } from "../../../components/plan/kubeadm/model";
import type { PlannedServer } from "../../../components/plan/servers/model";

export const exported = (directory: string, to: string, options: string) => ({
  directory,
  to,
  options: options.split(","),
});
/** A storage server with two directories, one of them for two networks. */
export const storage: StoragePlan = {
  server: { name: "vnf-a-storage" } as PlannedServer,
  pool: {
    ...{ role: "storage", vdu: "storage", sshConnectionPoint: "CP", nodeConnectionPoint: "CP", servers: [] },
    login: { username: "debian", password: undefined, privateKey: undefined },
  },
  nfsServer: "kernel",
  mounts: [{ storage: "data", mountTo: "/volume" }],
  exports: [
    exported("/volume/a", "10.10.0.0/24", "rw,sync,no_subtree_check,no_root_squash"),
    exported("/volume/b", "10.10.0.0/24", "ro"),
    exported("/volume/a", "fd00::/64", "ro,all_squash,anonuid=1000,insecure"),
  ],
  persistentVolumes: [],
};
