import { securityConfig } from "../../../components/kube/cluster/control-plane";
import type { ClusterPlan } from "../../../components/plan/kubeadm/model";

const pool = {
  sshConnectionPoint: "CP1",
  nodeConnectionPoint: "CP1",
  login: { username: "debian", password: undefined, privateKey: undefined },
  servers: [],
};

/** A cluster with one control-plane node, with the properties that renderers use. */
export const cluster: ClusterPlan = {
  vimName: "vim",
  pools: [
    { role: "master", vdu: "masterNode", ...pool },
    { role: "worker", vdu: "workerNode", ...pool },
  ],
  api: { kind: "master", connectionPoint: "CP1", port: 6443 },
  jumpHost: undefined,
  drain: { timeout_seconds: 300, delete_emptydir_data: true },
  podCidr: "10.244.0.0/16",
  serviceCidr: "10.96.0.0/12",
  ipv6: undefined,
  kubernetesVersion: undefined,
  hasCloudProvider: false,
  podRoutes: undefined,
  kubeadm: {
    ignorePreflightErrors: ["Swap"],
    clusterConfiguration: { apiServer: { extraArgs: [{ name: "v", value: "2" }] } },
    kubeletConfiguration: { failSwapOn: false },
    kubeProxyConfiguration: { mode: "iptables" },
  },
  security: securityConfig({ isEncrypted: false, otherArgs: [] }),
  encryption: undefined,
  cniManifest: "",
  cniPorts: ["udp/8472"],
  managementCidrs: ["198.19.0.0/24", "fd00::/64"],
  ingressRules: [],
  nodes: {
    ...{ proxy: undefined, trusted: [], files: [], operatorFiles: [], secretFiles: [] },
    ...{ hostsLines: [], keystoneAuth: undefined, warnings: [] },
  },
  aptRepository: undefined,
  nodeScript: undefined,
  storage: undefined,
  snapshotBucket: undefined,
  rotation: {
    sshKey: undefined,
    serviceAccount: undefined,
    certificates: undefined,
    encryptionKey: undefined,
  },
};
