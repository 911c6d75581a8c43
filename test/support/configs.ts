const MASTER_NODE = {
  ssh_cp_name: "masterNode_CP1",
  pod_cidr: "10.244.0.0/16",
  cluster_cidr: "10.96.0.0/12",
};
const WORKER_NODE = { ssh_cp_name: "workerNode_CP2", aspect_id: "worker_instance" };

/** Returns the additionalParams of a kubeadm cluster on the lab. */
export function kubeadmCluster(changes: object = {}): object {
  return {
    k8s_cluster_installation_param: {
      master_node: MASTER_NODE,
      worker_node: WORKER_NODE,
      management_cidrs: ["198.19.0.0/24"],
      ...changes,
    },
  };
}

/** Returns a kubeadm cluster with one control-plane node and `workers` workers. */
export function clusterVnf(workers: number, installation: object = {}): object {
  return {
    package: "vnf-packages/kubernetes-cluster",
    flavour: "simple",
    scale: { worker_instance: workers - 1 },
    extVirtualLinks: { masterNode_CP1: { network: "public" }, workerNode_CP2: { network: "public" } },
    additionalParams: kubeadmCluster(installation),
  };
}

/** Returns the networks of a cluster on a tenant network of vnfm; each control-plane node has a floating IP. */
export function onOwnNetwork(cidr: string): {
  readonly virtualLinks: object;
  readonly extVirtualLinks: object;
} {
  return {
    virtualLinks: {
      nodes: {
        subnets: [{ cidr }],
        dnsNameservers: ["198.19.0.1"],
        router: { externalNetwork: "public" },
      },
    },
    extVirtualLinks: {
      masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
      workerNode_CP2: { virtualLink: "nodes" },
    },
  };
}

/** Labels and taints of the nodes of the VDU `gpuNode`. */
export const GPU_POOL = {
  ssh_cp_name: "gpuNode_CP3",
  labels: { "example.com/gpu": "a100", "node-role.kubernetes.io/gpu": "" },
  taints: [{ key: "example.com/gpu", value: "a100", effect: "NoSchedule" }],
};

/** Package of a cluster with two pools of workers. */
export const POOLS_PACKAGE = "vnf-packages/pools-cluster";

/**
 * Returns a kubeadm cluster with one control-plane node, `workers` plain workers and a pool of `gpus` more workers.
 * @param location path of the package, or of a changed copy
 */
export function poolsVnf(location: string, workers: number, gpus: number, installation: object = {}): object {
  const points = ["masterNode_CP1", "workerNode_CP2", "gpuNode_CP3"];
  return {
    ...clusterVnf(workers, { worker_pools: [GPU_POOL], ...installation }),
    package: location,
    scale: { worker_instance: workers - 1, gpu_instance: gpus - 1 },
    extVirtualLinks: Object.fromEntries(points.map((point) => [point, { network: "public" }])),
  };
}

/** Returns a kubeadm cluster with 3, 5 or 7 control-plane nodes, which share a virtual IP. */
export function haClusterVnf(masters: number, workers: number, changes: object = {}): object {
  return {
    package: "vnf-packages/kubernetes-cluster",
    flavour: "ha",
    // the lab has three compute hosts
    placementPolicy: masters > 3 ? "soft" : "strict",
    scale: { master_instance: (masters - 3) / 2, worker_instance: workers - 1 },
    extVirtualLinks: { masterNode_CP1: { network: "public" }, workerNode_CP2: { network: "public" } },
    additionalParams: kubeadmCluster(),
    ...changes,
  };
}

/** Returns a kubeadm cluster with one control-plane node, one worker, and a storage server with one volume. */
export function storageVnf(changes: object = {}, installation: object = {}): object {
  return { ...clusterVnf(1), flavour: "simple-storage", ...withStorage(installation), ...changes };
}

/** Returns a kubeadm cluster as of `haClusterVnf`, and a storage server with one volume. */
export function haStorageVnf(masters: number, workers: number, installation: object = {}): object {
  return {
    ...haClusterVnf(masters, workers, { placementPolicy: "soft" }),
    flavour: "ha-storage",
    ...withStorage(installation),
  };
}

const STORAGE_SERVER = {
  ssh_cp_name: "storage_server_CP",
  cinder_volume_setup_params: [{ volume_resource_id: "storage_server_volume", mount_to: "/volume" }],
  nfs_server_setup_params: [1, 2, 3].map((i) => ({
    export_dir: `/volume/nfs/pv${i}`,
    export_to: "198.19.0.0/24",
  })),
};

const PERSISTENT_VOLUMES = [
  { pv_manifest_file_path: "Files/kubernetes/nfs-pv.yaml", nfs_server_cp: "storage_server_CP" },
];

/** Returns the settings of a cluster with a storage server. */
function withStorage(installation: object = {}): object {
  return {
    extVirtualLinks: Object.fromEntries(
      ["masterNode_CP1", "workerNode_CP2", "storage_server_CP"].map((cp) => [cp, { network: "public" }]),
    ),
    // this image contains nfs-ganesha, because the lab's kernel does not support NFS
    images: { storage_server: "debian-12-kube-v1.33.0" },
    additionalParams: kubeadmCluster({
      storage_server: { ...STORAGE_SERVER, nfs_server: "ganesha" },
      pv_registration_params: PERSISTENT_VOLUMES,
      ...installation,
    }),
  };
}

/** Returns the cluster of `storageVnf` on virtual machines: Kubernetes from apt, and the kernel's NFS server. */
export function machineVnf(apt_repository: object, changes: object = {}): object {
  const cps = ["masterNode_CP1", "workerNode_CP2", "storage_server_CP"];
  const machines = (value: string) => ({ masterNode: value, workerNode: value, storage_server: value });
  return {
    ...clusterVnf(1),
    flavour: "simple-storage",
    extVirtualLinks: Object.fromEntries(cps.map((cp) => [cp, { network: "public" }])),
    images: machines("debian-12-machine"),
    // kubeadm requires two processors on a control-plane node; more processors would make it slower
    flavors: { ...machines("m1.small"), masterNode: "m1.medium" },
    additionalParams: kubeadmCluster({
      kubernetes_version: "v1.33.0",
      apt_repository,
      storage_server: { ...STORAGE_SERVER, nfs_server: undefined },
      pv_registration_params: PERSISTENT_VOLUMES,
    }),
    ...changes,
  };
}

/**
 * Returns a cluster on Ubuntu with Kubernetes from an apt repository: three control-plane nodes, which share a virtual
 * IP, a worker and a storage server.
 */
export function ubuntuVnf(apt_repository: object): object {
  const image = "ubuntu-24.04";
  const username = "ubuntu";
  return {
    ...haStorageVnf(3, 1, {
      master_node: { ...MASTER_NODE, username },
      worker_node: { ...WORKER_NODE, username },
      storage_server: { ...STORAGE_SERVER, nfs_server: "ganesha", username },
      kubernetes_version: "v1.33.0",
      apt_repository,
    }),
    images: { masterNode: image, workerNode: image, storage_server: image },
    protectVolumes: false,
  };
}

/** Returns the small web CNF, in a namespace of its own. */
export function webCnf(namespace: string, changes: object = {}): object {
  return {
    package: "vnf-packages/web-cnf",
    vim: "vnf-a",
    additionalParams: {
      namespace,
      "lcm-kubernetes-def-files": ["configmap", "deployment", "service"].map(
        (name) => `Files/kubernetes/${name}.yaml`,
      ),
    },
    ...changes,
  };
}
