/** Several pools of workers of a cluster VNF, each of a VDU of its own. */
import { planOf } from "../../support/planned";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SettingsFault } from "../../../components/base/settings-fault";
import { nodePools, poolsOf } from "../../../components/plan/kubeadm/pools";
import type { KubeadmPlan } from "../../../components/plan/model";
import { loadPackage } from "../../../components/vnfd/package";
import { changedPoolsPackage } from "../../support/cluster-package";
import { GPU_POOL, POOLS_PACKAGE, poolsVnf } from "../../support/configs";

const folder = mkdtempSync(join(tmpdir(), "vnfm-pools-"));
afterAll(() => rmSync(folder, { recursive: true }));

function planned(vnf: object): KubeadmPlan {
  const [plan] = planOf({ "vnf-a": vnf }, { loadPackage });
  if (plan?.kind !== "kubeadm") throw new Error("the stack has no cluster");
  return plan;
}

/** The faults of the cluster, each without what all begin with. */
function faultsOf(installation: object, workers = 1, gpus = 1): string[] {
  try {
    planned(poolsVnf(POOLS_PACKAGE, workers, gpus, installation));
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    return error.faults.map((fault) =>
      fault.replace("vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.", ""),
    );
  }
  return [];
}

const keys = (plan: KubeadmPlan) =>
  nodePools(plan.cluster).map(({ role, vdu, servers }) => [role, vdu, ...servers.map(({ key }) => key)]);

test("a pool has the servers of its VDU, with what is set for the VDU, and labels and taints of its own", () => {
  const plan = planned({
    ...poolsVnf(POOLS_PACKAGE, 2, 2),
    images: { gpuNode: "gpu-image" },
    flavors: { gpuNode: "g1.large" },
    servers: { gpuNode: { availabilityZones: ["rack-1", "rack-2"] } },
  });
  expect(keys(plan)).toEqual([
    ["master", "masterNode", "masterNode-1"],
    ["worker", "workerNode", "workerNode-1", "workerNode-2"],
    ["worker", "gpuNode", "gpuNode-1", "gpuNode-2"],
  ]);
  const [plain, gpus] = poolsOf(plan.cluster, "worker");
  expect([plain?.labels, plain?.taints]).toEqual([undefined, undefined]);
  expect(gpus).toMatchObject({
    ...{ labels: GPU_POOL.labels, taints: GPU_POOL.taints },
    ...{ sshConnectionPoint: "gpuNode_CP3", nodeConnectionPoint: "gpuNode_CP3" },
    login: { username: "debian" },
  });
  const { servers } = plan;
  expect(
    servers.map(({ name, role, image, flavor, availabilityZone }) => [
      ...[name, role, image, flavor.kind === "name" && flavor.name, availabilityZone],
    ]),
  ).toEqual([
    ["vnf-a-masternode-1", "master", "debian-12-kube-v1.33.0", "m1.medium", undefined],
    ["vnf-a-workernode-1", "worker", "debian-12-kube-v1.33.0", "m1.small", undefined],
    ["vnf-a-workernode-2", "worker", "debian-12-kube-v1.33.0", "m1.small", undefined],
    ["vnf-a-gpunode-1", "worker", "gpu-image", "g1.large", "rack-1"],
    ["vnf-a-gpunode-2", "worker", "gpu-image", "g1.large", "rack-2"],
  ]);
});

test("a pool is scaled by the aspect of its VDU, and may be empty, but for the first one", () => {
  const gpus = (level: number) => keys(planned(poolsVnf(POOLS_PACKAGE, 1, level))).at(-1);
  expect([gpus(1), gpus(3)]).toEqual([
    ["worker", "gpuNode", "gpuNode-1"],
    ["worker", "gpuNode", "gpuNode-1", "gpuNode-2", "gpuNode-3"],
  ]);
  const withNone = mkdtempSync(join(folder, "none-"));
  const from = (vdu: string) => changedPoolsPackage(withNone, (definition) => withNoInitial(definition, vdu));
  from("gpuNode");
  expect(keys(planned(poolsVnf(withNone, 1, 1))).at(-1)).toEqual(["worker", "gpuNode"]);
  from("workerNode");
  expect(() => planned(poolsVnf(withNone, 1, 1))).toThrow(
    "worker_node: VDU workerNode has no server; set an image and a scale level that creates one",
  );
});

/** A VNFD whose VDU begins with no instance. */
function withNoInitial(definition: string, vdu: string): string {
  return definition
    .replace(new RegExp(`(${vdu}_initial_delta:[^]*?number_of_instances: )1`), "$10")
    .replace(new RegExp(`(name: ${vdu}\n[^]*?min_number_of_instances: )1`), "$10");
}

/** On a network behind a router, whose routes lead to pods. */
const routed = (pod_cidr: string, workers: number, gpus: number, installation: object = {}) => ({
  ...poolsVnf(POOLS_PACKAGE, workers, gpus, {
    ...{ jump_host: { vnfc: "masterNode-1" }, pod_network: "neutron", ...installation },
    master_node: { ssh_cp_name: "masterNode_CP1", pod_cidr },
  }),
  virtualLinks: { nodes: { subnets: [{ cidr: "10.30.0.0/24" }], router: { externalNetwork: "public" } } },
  extVirtualLinks: {
    masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
    workerNode_CP2: { virtualLink: "nodes" },
    gpuNode_CP3: { virtualLink: "nodes" },
  },
});

test("nodes of a further pool have blocks for pods that no scale of another one moves", () => {
  const blocks = (vnf: object) =>
    Object.entries(planned(vnf).cluster.podRoutes ?? {}).map(([key, { cidr }]) => `${key} ${cidr}`);
  const gpu = "gpuNode-1 10.244.50.0/24";
  const master = "masterNode-1 10.244.255.0/24";
  expect(blocks(routed("10.244.0.0/16", 1, 2))).toEqual([
    "workerNode-1 10.244.0.0/24",
    ...[gpu, "gpuNode-2 10.244.51.0/24", master],
  ]);
  expect(blocks(routed("10.244.0.0/16", 2, 1))).toEqual([
    ...["workerNode-1 10.244.0.0/24", "workerNode-2 10.244.1.0/24"],
    ...[gpu, master],
  ]);
  const [first] = blocks(routed("10.244.0.0/16", 1, 1, { worker_pools: [] }));
  expect(first).toBe("workerNode-1 10.244.0.0/24");
  // 64 blocks: one is the master's
  expect(() => planned(routed("10.244.0.0/18", 1, 13))).not.toThrow();
  expect(() => planned(routed("10.244.0.0/18", 1, 14))).toThrow(
    "master_node.pod_cidr: 10.244.0.0/18 has no /24 for gpuNode-14, because each VDU of the VNFD reserves those of " +
      "all instances that its vdu_profile allows; use a larger block, or lower max_number_of_instances",
  );
});

test("all faults of pools are reported at once", () => {
  expect(
    faultsOf({
      worker_node: {
        ssh_cp_name: "workerNode_CP2",
        labels: { "-x": "a", "kubernetes.io/hostname": "a", "node-role.kubernetes.io/control-plane": "" },
      },
      worker_pools: [
        { ...GPU_POOL, vdu_id: "gpuNodes" },
        { ...GPU_POOL, taints: [{ key: "a/b/c", value: "x y", effect: "NoSchedule" }] },
        { ssh_cp_name: "gpuNode_CP3", aspect_id: "worker_instance", nic_cp_name: "workerNode_CP2" },
        { ssh_cp_name: "masterNode_CP1", password: "a", private_key: KEY },
        {
          ssh_cp_name: "gpuNode_CP4",
          taints: [
            { key: "a", effect: "NoExecute" },
            { key: "a", value: "2", effect: "NoExecute" },
          ],
        },
      ],
    }),
  ).toEqual([
    'worker_pools[0].vdu_id: "gpuNodes" is not a VDU of the VNFD; one of gpuNode, masterNode, workerNode; did you mean "gpuNode"?',
    'worker_pools[2].aspect_id: aspect "worker_instance" scales workerNode, not gpuNode',
    'worker_pools[2].nic_cp_name: "workerNode_CP2" is not a connection point of VDU gpuNode; one of gpuNode_CP3',
    'worker_pools[4].ssh_cp_name: "gpuNode_CP4" is not a connection point of the VNFD; one of gpuNode_CP3, masterNode_CP1, workerNode_CP2',
    'worker_pools[4].nic_cp_name: "gpuNode_CP4" is not a connection point of the VNFD; one of gpuNode_CP3, masterNode_CP1, workerNode_CP2',
    'worker_node.labels.-x: "-x" must have 1 to 63 letters, digits, -, _ and ., and begin and end with a letter or digit',
    'worker_node.labels["kubernetes.io/hostname"]: differs on each node; remove it',
    'worker_node.labels["node-role.kubernetes.io/control-plane"]: is only for control-plane nodes; use the name of another role',
    'worker_pools[1].taints[0].key: "a/b/c" has more than one /',
    'worker_pools[1].taints[0].value: "x y" must be empty, or have up to 63 letters, digits, -, _ and ., and begin and end with a letter or digit',
    "worker_pools[3]: set password or private_key, not both",
    'worker_pools[4].taints[1]: "a" with the effect NoExecute appears twice; remove one',
    "worker_pools[2]: uses the VDU of worker_pools[1], gpuNode; use another VDU",
    "worker_pools[3]: uses the VDU of master_node, masterNode; use another VDU",
  ]);
});

const KEY = "-----BEGIN PRIVATE KEY-----\nMIGb\n-----END PRIVATE KEY-----\n";

test("pools have settings of the right form", () => {
  expect(
    faultsOf({
      worker_pools: [
        { labels: { gpu: true }, taints: [{ key: "a", effect: "Never" }, { effect: "NoExecute" }] },
      ],
    }),
  ).toEqual([
    "worker_pools[0].labels.gpu: true must be string",
    "worker_pools[0].ssh_cp_name: is required",
    'worker_pools[0].taints[0].effect: "Never" is not one of NoSchedule, PreferNoSchedule, NoExecute',
    "worker_pools[0].taints[1].key: is required",
  ]);
});
