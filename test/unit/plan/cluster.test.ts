import { planCluster } from "../../../components/plan/kubeadm/cluster";
import type { ClusterPlan } from "../../../components/plan/kubeadm/model";
import { planServers } from "../../../components/plan/servers/servers";
import type { PlannedVirtualIp } from "../../../components/plan/servers/model";
import type { ClusterInstallation, MasterNode, StorageServer } from "../../../components/settings/model";
import type { DeploymentFlavour } from "../../../components/vnfd/model";
import { aspect, clusterFlavour, network, vnfSettings } from "../fixtures";
import { placeOf } from "../places";

const flavour = clusterFlavour();
const servers = (masters: number, workers: number) =>
  planServers(
    "vnf-a",
    placeOf("vnf"),
    vnfSettings({ extVirtualLinks: { masterNode_CP1: { network: "n" }, workerNode_CP2: { network: "n" } } }),
    flavour,
    { masterNode: masters, workerNode: workers },
  );

const master: MasterNode = {
  ssh_cp_name: "masterNode_CP1",
  username: "debian",
  pod_cidr: "10.244.0.0/16",
  cluster_cidr: "10.96.0.0/12",
};

/** What a cluster is planned in, where a test says it. */
interface Surroundings {
  /** Of the network of a virtual link of the VNFD. */
  readonly cidr?: string | undefined;
  readonly virtualLink?: string;
  /** Files that are not there. */
  readonly absent?: readonly string[];
  /** Of the CNI. */
  readonly manifest?: string;
  readonly ofFlavour?: DeploymentFlavour;
  readonly virtualIps?: readonly PlannedVirtualIp[];
}

function plan(
  changes: Partial<ClusterInstallation> = {},
  planned = servers(1, 2),
  {
    cidr,
    virtualLink = "vl",
    absent = ["Scripts/missing", "missing"],
    manifest,
    ofFlavour = flavour,
    virtualIps = [],
  }: Surroundings = {},
) {
  const place = placeOf("k8s");
  const cluster = planCluster(
    {
      master_node: master,
      worker_node: { ssh_cp_name: "workerNode_CP2", username: "debian" },
      load_balancer: { username: "debian" },
      drain: { timeout_seconds: 300, delete_emptydir_data: true },
      cni_ports: ["udp/8472"],
      management_cidrs: ["10.0.0.0/8"],
      ingress_rules: [],
      ...changes,
    },
    {
      instance: "vnf-a",
      place,
      flavour: ofFlavour,
      servers: planned,
      virtualIps,
      networks: cidr === undefined ? [] : [network(virtualLink, cidr)],
      readText: (path) =>
        absent.includes(path)
          ? undefined
          : (manifest ?? `{apiVersion: v1, kind: Pod, metadata: {name: "${path}"}}`),
    },
  );
  return { cluster, faults: place.findings.texts };
}

/** Each pool with its role and VDU, and the keys of its servers, which have that role. */
const keysByRole = ({ pools }: ClusterPlan) =>
  pools.map(({ role, vdu, servers }) => [
    ...[role, vdu],
    ...servers.filter((server) => server.role === role).map(({ key }) => key),
  ]);

describe("planCluster", () => {
  it("finds masters and workers by the connection points that SSH goes to", () => {
    const { cluster, faults } = plan();
    expect(faults).toEqual([]);
    expect(keysByRole(cluster)).toEqual([
      ["master", "masterNode", "masterNode-1"],
      ["worker", "workerNode", "workerNode-1", "workerNode-2"],
    ]);
    expect(cluster.api).toEqual({ kind: "master", connectionPoint: "masterNode_CP1", port: 6443 });
    expect(cluster.vimName).toBe("kubernetes_vim_vnf-a");
    expect(cluster.cniManifest).toBe(
      '{apiVersion: v1, kind: Pod, metadata: {name: "Files/kubernetes/flannel.yaml"}}',
    );
  });

  it("refuses unknown connection points, VDUs and aspects, with the nearest name", () => {
    const { faults } = plan({
      master_node: { ...master, ssh_cp_name: "masterNode_CP2", aspect_id: "master_instances" },
      worker_node: {
        ssh_cp_name: "workerNode_CP2",
        nic_cp_name: "masterNode_CP1",
        vdu_id: "workerNode",
        username: "u",
      },
    });
    expect(faults).toEqual([
      'k8s.master_node.aspect_id: "master_instances" is not a scaling aspect of the VNFD; one of master_instance, worker_instance; did you mean "master_instance"?',
      'k8s.master_node.ssh_cp_name: "masterNode_CP2" is not a connection point of the VNFD; one of masterNode_CP1, workerNode_CP2',
      'k8s.master_node.nic_cp_name: "masterNode_CP2" is not a connection point of the VNFD; one of masterNode_CP1, workerNode_CP2',
      'k8s.worker_node.nic_cp_name: "masterNode_CP1" is not a connection point of VDU workerNode; one of workerNode_CP2',
    ]);
  });

  it("refuses an aspect that scales other servers", () => {
    const worker_node = { ssh_cp_name: "workerNode_CP2", aspect_id: "master_instance", username: "u" };
    expect(plan({ worker_node }).faults).toEqual([
      'k8s.worker_node.aspect_id: aspect "master_instance" scales masterNode, not workerNode',
    ]);
  });

  it("lets aspect_id name anything for a VDU that no aspect scales, but not what scales another", () => {
    const { worker_instance } = flavour.scalingAspects;
    const aspects = { worker_instance, idle: aspect("idle", {}) } as DeploymentFlavour["scalingAspects"];
    const named = (aspect_id: string) =>
      plan({ master_node: { ...master, aspect_id } }, servers(1, 2), {
        ofFlavour: { ...flavour, scalingAspects: aspects },
      }).faults;
    expect([named("master_instance"), named("idle"), named("toString")]).toEqual([[], [], []]);
    expect(named("worker_instance")).toEqual([
      'k8s.master_node.aspect_id: aspect "worker_instance" scales workerNode, not masterNode',
    ]);
  });

  it("refuses a VDU for a second role", () => {
    const worker_node = { ssh_cp_name: "masterNode_CP1", username: "u" };
    expect(plan({ worker_node }).faults).toEqual([
      "k8s.worker_node: uses the VDU of master_node, masterNode; use another VDU",
    ]);
    const storage_server: StorageServer = {
      ...{ ssh_cp_name: "workerNode_CP2", username: "debian", nfs_server: "kernel" },
      ...{ cinder_volume_setup_params: [], nfs_server_setup_params: [] },
    };
    expect(plan({ storage_server }, servers(1, 1)).faults).toEqual([
      "k8s.storage_server: uses the VDU of worker_node, workerNode; use another VDU",
    ]);
    const virtualIp: PlannedVirtualIp = {
      ...{ connectionPoint: "vip", targets: ["workerNode_CP2"], floatingNetwork: undefined },
      ...{ link: { kind: "external", network: "n" }, fixedAddresses: [] },
    };
    expect(plan({}, servers(1, 1), { virtualIps: [virtualIp] }).faults).toEqual([
      "k8s.worker_node: uses the VDU of load_balancer, workerNode; use another VDU",
    ]);
  });

  it("refuses chosen addresses of nodes and of the API that the cluster cannot have", () => {
    const [first, ...others] = servers(1, 1);
    const [port] = first?.ports ?? [];
    if (first === undefined || port === undefined) throw new Error("there is a master with a port");
    const virtualIp = (address: string): PlannedVirtualIp => ({
      ...{ connectionPoint: "vip", targets: ["masterNode_CP1"], floatingNetwork: undefined },
      ...{ link: { kind: "external", network: "n" }, fixedAddresses: [address] },
    });
    const at = (ofMaster: string, ofApi: string) => {
      const chosen = { ...first, ports: [{ ...port, fixedAddresses: [ofMaster] }] };
      return plan({}, [chosen, ...others], { virtualIps: [virtualIp(ofApi)] }).faults;
    };
    expect(at("10.0.0.4", "10.0.0.9")).toEqual([]);
    expect(at("10.244.0.4", "fd00::9")).toEqual([
      "k8s: masterNode_CP1 of vnf-a-masterNode-1 has the address 10.244.0.4, which is in 10.244.0.0/16 of master_node.pod_cidr: set pod_cidr to a block that does not overlap the networks of the nodes; for an existing cluster it cannot change, so terminate it first",
      "k8s: the API of vnf-a has no IPv4 address, only fd00::9: networks of nodes are IPv4; set an IPv4 subnet of the network, or an IPv4 address in fixedAddresses, under extVirtualLinks, or set an IPv4 cidr in the VNFD's virtual link",
    ]);
  });

  it("opens a port or a network once, however often it is given", () => {
    const twice = { cni_ports: ["udp/8472", "udp/8472"], management_cidrs: ["10.0.0.0/8", "10.0.0.0/8"] };
    expect(plan(twice).cluster).toMatchObject({ cniPorts: ["udp/8472"], managementCidrs: ["10.0.0.0/8"] });
  });

  it("refuses more than one master in a flavour without a load balancer", () => {
    const fault =
      "k8s.master_node: 3 control-plane nodes are planned and masterNode_CP1 is the address of one of them; use a flavour with a VipCp (tosca.nodes.nfv.VipCp)";
    expect(plan({}, servers(3, 2)).faults).toEqual([
      `${fault}, or set the scale level of the control-plane nodes to 0`,
    ]);
    const atLeastThree = servers(3, 2).map((server) => ({
      ...server,
      vdu: { ...server.vdu, minInstances: 3 },
    }));
    expect(plan({}, atLeastThree).faults).toEqual([fault]);
  });

  it.each([
    [
      { pod_cidr: "10.96.0.0/16" },
      undefined,
      "k8s.master_node.pod_cidr: 10.96.0.0/16 overlaps 10.96.0.0/12 of k8s.master_node.cluster_cidr",
    ],
    [
      {},
      "10.244.7.0/24",
      "k8s.master_node.pod_cidr: 10.244.0.0/16 overlaps 10.244.7.0/24 of virtual link vl",
    ],
  ])("refuses pods, Services and nodes that share addresses: %j %s", (changes, cidr, fault) => {
    expect(plan({ master_node: { ...master, ...changes } }, servers(1, 2), { cidr }).faults).toEqual([fault]);
  });

  const VL = { kind: "internal", virtualLink: "vl" } as const;
  const onLink = (...points: string[]) =>
    servers(1, 2).map((server) => ({
      ...server,
      ports: server.ports.flatMap((port) => [
        { ...port, link: points.includes(port.connectionPoint) ? VL : port.link },
        { ...port, connectionPoint: `${server.vdu.id}_data`, link: VL },
      ]),
    }));

  it.each(["masterNode_CP1", "workerNode_CP2"])(
    "refuses %s on a network without IPv6 in a dual stack",
    (point) => {
      const dual = { pod_cidr_ipv6: "fd00:10:244::/56", cluster_cidr_ipv6: "fd00:10:96::/112" };
      const planned = plan({ master_node: { ...master, ...dual } }, onLink(point), { cidr: "10.20.0.0/24" });
      expect(planned.faults.filter((fault) => fault.includes("dual stack"))).toEqual([
        `k8s: nodes have ${point}, whose virtual link vl is 10.20.0.0/24: in a dual stack it must have IPv6 too; add an IPv6 subnet`,
      ]);
    },
  );

  it.each(["masterNode_CP1", "workerNode_CP2"])("refuses %s on a network of the VNFD of IPv6", (point) => {
    const jump_host = { host: "jump.example", host_key: "ssh-ed25519 AAAA" };
    expect(plan({ jump_host }, onLink(point), { cidr: "fd00::/64" }).faults).toEqual([
      `k8s: the cluster uses ${point}, whose virtual link vl is fd00::/64: networks of nodes are IPv4; set an IPv4 cidr for it, or an IPv4 network under extVirtualLinks.vl`,
    ]);
  });

  it("takes a network of IPv6 that is the nodes' for something else", () => {
    expect(plan({}, onLink(), { cidr: "fd00::/64" }).faults).toEqual([]);
  });

  it.each(["vl", "master_node_link"])(
    "lets k8s_node_cidr be the block of the nodes' own network, virtual link %s",
    (virtualLink) => {
      const proxy = { k8s_node_cidr: "10.10.0.0/24" };
      expect(plan({ proxy }, servers(1, 2), { cidr: "10.10.0.0/24", virtualLink }).faults).toEqual([]);
    },
  );

  it("gives a package that has no CNI's manifest the product's", () => {
    const { cluster, faults } = plan({}, servers(1, 2), { absent: ["Files/kubernetes/flannel.yaml"] });
    expect(faults).toEqual([]);
    expect(cluster.cniManifest).toBe(
      '{apiVersion: v1, kind: Pod, metadata: {name: "vnf-packages/kubernetes-cluster/Files/kubernetes/flannel.yaml"}}',
    );
  });

  it("refuses a CNI's manifest that the cluster's Kubernetes would", () => {
    const cni = "{apiVersion: policy/v1beta1, kind: PodSecurityPolicy, metadata: {name: p}}";
    const { faults } = plan({ cni_manifest_path: "cni.yaml" }, servers(1, 2), { absent: [], manifest: cni });
    expect(faults).toEqual([
      "k8s.cni_manifest_path: cni.yaml:1: PodSecurityPolicy p: policy/v1beta1 was removed in Kubernetes v1.25; it has no successor",
    ]);
  });

  it("refuses files that are nowhere", () => {
    expect(plan({ script_path: "Scripts/missing", cni_manifest_path: "missing" }).faults).toEqual([
      "k8s.cni_manifest_path: missing is neither in the package nor next to Pulumi.yaml",
      "k8s.script_path: Scripts/missing is neither in the package nor next to Pulumi.yaml",
    ]);
  });
});
