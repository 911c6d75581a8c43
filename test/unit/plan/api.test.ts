import { planApi } from "../../../components/plan/kubeadm/api";
import type { NodePool } from "../../../components/plan/kubeadm/model";
import { planServers } from "../../../components/plan/servers/servers";
import { planVirtualIps } from "../../../components/plan/servers/virtual-ips";
import type { ClusterInstallation } from "../../../components/settings/model";
import type { VipCp } from "../../../components/vnfd/model";
import { clusterFlavour, connectionPoint, vdu, vnfSettings } from "../fixtures";
import { placeOf } from "../places";

const base = clusterFlavour();

function plan(
  masters: number,
  target: string,
  changes: Partial<ClusterInstallation> = {},
  vipFunction: VipCp["vipFunction"] = "high_availability",
  nodeConnectionPoint = "masterNode_CP1",
  fixedAddresses: readonly string[] = [],
) {
  const flavour = clusterFlavour({
    vdus: { ...base.vdus, loadBalancer: vdu("loadBalancer") },
    connectionPoints: {
      ...base.connectionPoints,
      loadBalancer_CP3: connectionPoint("loadBalancer_CP3", "loadBalancer"),
    },
    virtualIps: { vip_CP: { id: "vip_CP", targets: [target], vipFunction } },
  });
  const network = { network: "n" };
  const servers = planServers(
    "vnf-a",
    placeOf("vnf"),
    vnfSettings({
      extVirtualLinks: { masterNode_CP1: network, workerNode_CP2: network, loadBalancer_CP3: network },
    }),
    flavour,
    { masterNode: masters, workerNode: 1, loadBalancer: 2 },
  );
  const place = placeOf("k8s");
  const master: NodePool = {
    ...{ role: "master", vdu: "masterNode" },
    sshConnectionPoint: "masterNode_CP1",
    nodeConnectionPoint,
    login: { username: "debian", password: undefined, privateKey: undefined },
    servers: servers.filter((server) => server.vdu.id === "masterNode"),
  };
  const params = {
    master_node: { ssh_cp_name: "masterNode_CP1" },
    load_balancer: { username: "balancer" },
    ...changes,
  } as ClusterInstallation;
  const ofVip = vnfSettings({ extVirtualLinks: { vip_CP: { ...network, fixedAddresses } } });
  const virtualIps = planVirtualIps(servers, place.findings.at("vnf"), ofVip, flavour);
  const api = planApi(params, master, { instance: "vnf-a", place, flavour, servers, virtualIps });
  return { api, faults: place.findings.texts };
}

describe("planApi", () => {
  it("puts the load balancers on the masters where the VipCp has them as target", () => {
    const { api, faults } = plan(3, "masterNode_CP1");
    expect(faults).toEqual([]);
    expect(api).toMatchObject({ kind: "haproxy", port: 6440, onMasters: true });
    expect(api.kind === "haproxy" && api.balancers.servers.map(({ key }) => key)).toEqual([
      "masterNode-1",
      "masterNode-2",
      "masterNode-3",
    ]);
  });

  it("puts them on servers of their own where the VipCp has those as target", () => {
    const { api, faults } = plan(3, "loadBalancer_CP3");
    expect(faults).toEqual([]);
    expect(api).toMatchObject({
      kind: "haproxy",
      port: 6443,
      onMasters: false,
      balancers: { sshConnectionPoint: "loadBalancer_CP3", login: { username: "balancer" } },
    });
    expect(api.kind === "haproxy" && api.balancers.servers.map(({ key }) => key)).toEqual([
      "loadBalancer-1",
      "loadBalancer-2",
    ]);
  });

  it.each([2, 4, 6, 8])("refuses %d masters with the reason", (masters) => {
    expect(plan(masters, "masterNode_CP1").faults).toEqual([
      `k8s.master_node: ${masters} control-plane nodes are planned; etcd needs one of 1, 3, 5, 7: an even number survives no more failures than one less, and more members slow down every write`,
    ]);
  });

  it("refuses a connection point that is none, with those there are", () => {
    const master_node = { ssh_cp_name: "masterNode_CP1", cluster_cp_name: "vip_CB" };
    expect(plan(1, "masterNode_CP1", { master_node } as Partial<ClusterInstallation>).faults).toEqual([
      'k8s.master_node.cluster_cp_name: "vip_CB" is not a connection point of VDU masterNode; one of masterNode_CP1, vip_CP; did you mean "vip_CP"?',
    ]);
  });

  it("refuses one that is none with no word about the number of masters or its target", () => {
    const unknown = { ssh_cp_name: "masterNode_CP1", cluster_cp_name: "vip_CB" };
    expect(
      plan(3, "masterNode_CP1", { master_node: unknown } as Partial<ClusterInstallation>).faults,
    ).toEqual([
      'k8s.master_node.cluster_cp_name: "vip_CB" is not a connection point of VDU masterNode; one of masterNode_CP1, vip_CP; did you mean "vip_CP"?',
    ]);
    // what is wrong with these, whoever looks for the masters has said
    expect(plan(0, "masterNode_CP1").faults).toEqual([]);
    expect(plan(3, "masterNode_CP1", {}, "high_availability", "masterNode_CP9").faults).toEqual([]);
  });

  it("gives each instance a VRRP id of its name, which stays, or the one that is set", () => {
    expect(plan(3, "masterNode_CP1").api).toMatchObject({ virtualRouterId: 66 });
    const load_balancer = { username: "u", virtual_router_id: 9 };
    expect(plan(3, "masterNode_CP1", { load_balancer }).api).toMatchObject({ virtualRouterId: 9 });
  });

  it("puts a load balancer of the cloud in front of the masters where the VipCp is for that", () => {
    const load_balancer = { username: "u", provider: "ovn" };
    const { api, faults } = plan(3, "masterNode_CP1", { load_balancer }, "load_balance");
    expect(faults).toEqual([]);
    expect(api).toMatchObject({ kind: "octavia", port: 6443, provider: "ovn" });
  });

  it("hands on the chosen address of that, which has one", () => {
    const at = (...addresses: string[]) =>
      plan(3, "masterNode_CP1", {}, "load_balance", "masterNode_CP1", addresses);
    const { api, faults } = at("10.0.0.9");
    expect(faults).toEqual([]);
    expect(api).toMatchObject({ virtualIp: { fixedAddresses: ["10.0.0.9"] } });
    expect(at("fd00::9", "10.0.0.9").faults).toEqual([
      "vnfm:vnfs.vnf-a.extVirtualLinks.vip_CP.fixedAddresses: an Octavia load balancer has one address; remove fd00::9",
    ]);
  });

  it("refuses one in front of anything else, and a provider for what is none", () => {
    expect(plan(3, "loadBalancer_CP3", {}, "load_balance").faults).toEqual([
      "k8s.master_node.nic_cp_name: is masterNode_CP1, but vip_CP has loadBalancer_CP3 as its target in the VNFD",
    ]);
    const load_balancer = { username: "u", provider: "ovn" };
    expect(plan(3, "masterNode_CP1", { load_balancer }).faults).toEqual([
      "k8s.load_balancer.provider: is for Octavia, and vip_CP is not a VipCp with the function load_balance; remove it",
    ]);
  });

  it("refuses what is of HAProxy's servers where there are none", () => {
    const load_balancer = { username: "u", ssh_cp_name: "loadBalancer_CP3", virtual_router_id: 9 };
    const why = "is for servers with HAProxy and keepalived, and vip_CP has Octavia in front; remove it";
    expect(plan(3, "masterNode_CP1", { load_balancer }, "load_balance").faults).toEqual([
      `k8s.load_balancer.ssh_cp_name: ${why}`,
      `k8s.load_balancer.virtual_router_id: ${why}`,
    ]);
  });
});
