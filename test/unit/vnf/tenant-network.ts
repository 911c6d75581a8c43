import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import type { Reach } from "../../../components/remote/reaching";
import { clusterVnf, haClusterVnf, kubeadmCluster, storageVnf } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { recordedScript } from "../../support/script-steps";
import { clusterOutputs } from "./outputs";

const HOST_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7Yp1Zb0Qd0Xw8m1oXnqk5sWn0aT0q3m5o0mJc5d1xY";

const nodes = {
  subnets: [{ cidr: "10.0.0.0/24" }, { cidr: "fd00:30::/64" }],
  dnsNameservers: ["198.51.100.53", "fd00::53"],
  router: { externalNetwork: "public" },
};
const floating = { virtualLink: "nodes", floatingNetwork: "public" };

async function record(vnf: object): Promise<readonly RecordedResource[]> {
  const recorded = recordResources((resource) => {
    const { type, name } = resource;
    if (type === "openstack:networking/floatingIp:FloatingIp")
      return { address: `203.0.113.${/masterNode-(\d)/.exec(name)?.[1] ?? 9}` };
    if (type === "openstack:loadbalancer/loadBalancer:LoadBalancer")
      return { vipAddress: "10.0.0.9", vipSubnetId: "subnet", vipPortId: "vip-port" };
    return clusterOutputs(resource);
  });
  makeVnfs(planOf({ "vnf-a": vnf }));
  await settle();
  return recorded;
}

const secret = (value: unknown): unknown => (value as { value?: unknown } | undefined)?.value;
const reachOf = (recorded: readonly RecordedResource[], name: string) => recordedScript(recorded, name).reach;
const dataOf = (recorded: readonly RecordedResource[], name: string) => recordedScript(recorded, name).data;
/** Returns the SSH connections to control-plane nodes of the step that runs before a cluster is re-created. */
const evacuationOf = (recorded: readonly RecordedResource[]) => {
  const stdin = recorded.find((one) => one.name === "vnf-a-evacuation")?.inputs["stdin"];
  return (JSON.parse(String(secret(stdin))) as { readonly masters: readonly Reach[] }).masters;
};
const floatingIpsOf = (recorded: readonly RecordedResource[]) =>
  recorded
    .filter(({ type }) => type.endsWith(":FloatingIp"))
    .map(({ name, inputs }) => [name, inputs])
    .sort();

describe("a cluster on a network that is made, whose master is the jump host", () => {
  let recorded: readonly RecordedResource[];

  beforeAll(async () => {
    recorded = await record({
      ...clusterVnf(1, { jump_host: { vnfc: "masterNode-1" } }),
      virtualLinks: { nodes },
      extVirtualLinks: { masterNode_CP1: floating, workerNode_CP2: { virtualLink: "nodes" } },
    });
  });

  it("has the network, its subnets with a gateway and DNS of their IP version, and a router in both", () => {
    const made = recorded
      .filter(({ type }) => /\/(network|subnet|router|routerInterface):/.test(type))
      .map(({ type, name, inputs }) => [type.replace(/.*:/, ""), name, inputs] as const);
    const common = { networkId: "vnf-a-nodes-id", enableDhcp: true };
    // dependencies allow more than one order
    expect(made.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toEqual([
      ["Network", "vnf-a-nodes", {}],
      ["Router", "vnf-a-nodes", { externalNetworkId: "looked-up" }],
      ["RouterInterface", "vnf-a-nodes-router", { routerId: "vnf-a-nodes-id", subnetId: "vnf-a-nodes-id" }],
      [
        "RouterInterface",
        "vnf-a-nodes-router-2",
        { routerId: "vnf-a-nodes-id", subnetId: "vnf-a-nodes-2-id" },
      ],
      [
        "Subnet",
        "vnf-a-nodes",
        {
          ...{ ...common, cidr: "10.0.0.0/24", ipVersion: 4, dnsNameservers: ["198.51.100.53"] },
          ...{ gatewayIp: "10.0.0.1", allocationPools: [{ start: "10.0.0.2", end: "10.0.0.254" }] },
        },
      ],
      [
        "Subnet",
        "vnf-a-nodes-2",
        {
          ...{ ...common, cidr: "fd00:30::/64", ipVersion: 6, dnsNameservers: ["fd00::53"] },
          gatewayIp: "fd00:30::1",
          allocationPools: [{ start: "fd00:30::2", end: "fd00:30::ffff:ffff:ffff:ffff" }],
        },
      ],
    ]);
  });

  it("has a floating IP at the master's port alone", () => {
    expect(floatingIpsOf(recorded)).toEqual([
      [
        "vnf-a-masterNode-1-masterNode_CP1-floating",
        { pool: "public", portId: "vnf-a-masterNode-1-masterNode_CP1-id" },
      ],
    ]);
  });

  it("is dialled there, and the worker through it, each with the host key that it must have", () => {
    const login = { user: "debian", keys: ["-----BEGIN\n"] };
    const patience = { tries: 60, seconds: 1500 };
    const host = (address: string) => ({ host: address, hostKey: "ssh-ed25519 AAAA" });
    expect(reachOf(recorded, "vnf-a-masterNode-1-prepare")).toEqual({
      ...{ hosts: [host("203.0.113.1")], login, ...patience },
    });
    expect(reachOf(recorded, "vnf-a-workerNode-1-prepare")).toEqual({
      ...{ hosts: [host("10.0.0.33")], login, ...patience },
      jumpHost: { ...host("203.0.113.1"), port: 22, login },
    });
  });

  it("has its API at the port's address for nodes, at the floating IP for others, in one certificate", () => {
    const config = dataOf(recorded, "vnf-a-masterNode-1-init");
    const [, inside = ""] = /controlPlaneEndpoint: (\S+):6443/.exec(config) ?? [];
    expect(inside).toMatch(/^10\.0\.0\./);
    expect(config).toContain(`  certSANs:\n    - ${inside}\n    - 203.0.113.1\n`);
    const provider = recorded.find(({ type }) => type === "pulumi:providers:kubernetes");
    expect(String(secret(provider?.inputs["kubeconfig"]))).toContain("server: https://203.0.113.1:6443\n");
    expect(dataOf(recorded, "vnf-a-workerNode-1-join")).toContain(`apiServerEndpoint: ${inside}:6443`);
  });
});

it("with pods on Neutron's routes each node's port leads to its block, which a master gives to the Node", async () => {
  const recorded = await record({
    ...clusterVnf(1, { jump_host: { vnfc: "masterNode-1" }, pod_network: "neutron" }),
    virtualLinks: { nodes },
    extVirtualLinks: { masterNode_CP1: floating, workerNode_CP2: { virtualLink: "nodes" } },
  });
  const blocks = { "masterNode-1": "10.244.255.0/24", "workerNode-1": "10.244.0.0/24" };
  const inputsOf = (name: string, type: string) =>
    recorded.find((one) => one.name === name && one.type.endsWith(`:${type}`))?.inputs;
  for (const [key, cidr] of Object.entries(blocks)) {
    const name = `vnf-a-${key}`;
    const point = key === "masterNode-1" ? "masterNode_CP1" : "workerNode_CP2";
    expect(inputsOf(`${name}-${point}`, "Port")?.["allowedAddressPairs"]).toEqual([{ ipAddress: cidr }]);
    expect(inputsOf(`${name}-pods`, "RouterRoute")).toEqual({
      routerId: "vnf-a-nodes-id",
      destinationCidr: cidr,
      nextHop: expect.stringMatching(/^10\.0\.0\.\d+$/) as unknown,
    });
    const step = dataOf(recorded, `${name}-pod-cidr`);
    expect(step).toContain(`node_name='vnf-a-${key.toLowerCase()}'\npod_cidr='${cidr}'\n`);
  }
});

describe("several masters", () => {
  const behind = (changes: object) =>
    haClusterVnf(3, 1, {
      virtualLinks: { nodes },
      additionalParams: kubeadmCluster({ jump_host: { host: "jump.example", host_key: HOST_KEY } }),
      ...changes,
    });
  const ofCluster = (recorded: readonly RecordedResource[]) => reachOf(recorded, "vnf-a-masterNode-1-cni");

  it("are tried through the jump host where they have no floating IPs", async () => {
    const at = { virtualLink: "nodes" };
    const recorded = await record(behind({ extVirtualLinks: { masterNode_CP1: at, workerNode_CP2: at } }));
    const { hosts, jumpHost } = ofCluster(recorded);
    expect(jumpHost).toEqual({
      ...{ host: "jump.example", port: 22, hostKey: HOST_KEY },
      login: { user: "debian", keys: ["-----BEGIN\n"] },
    });
    expect(hosts.map(({ host }) => host)).toEqual(Array(4).fill(expect.stringMatching(/^10\.0\.0\.\d+$/)));
  });

  it("are asked through it before the cluster is made anew, and get a rotated key so", async () => {
    const at = { virtualLink: "nodes" };
    const recorded = await record(
      behind({
        extVirtualLinks: { masterNode_CP1: at, workerNode_CP2: at },
        heal: { all: "1" },
        rotate: { ssh_key: "1" },
      }),
    );
    const reaches = [...evacuationOf(recorded), reachOf(recorded, "vnf-a-workerNode-1-former-keys")];
    expect(reaches.map(({ jumpHost }) => jumpHost?.host)).toEqual(Array(4).fill("jump.example"));
  });

  it("are asked through a worker too, before the cluster is made anew", async () => {
    const extVirtualLinks = { masterNode_CP1: { virtualLink: "nodes" }, workerNode_CP2: floating };
    const additionalParams = kubeadmCluster({ jump_host: { vnfc: "workerNode-1" } });
    const recorded = await record(behind({ extVirtualLinks, additionalParams, heal: { all: "1" } }));
    for (const { jumpHost } of evacuationOf(recorded)) expect(jumpHost?.host).toBe("203.0.113.9");
  });

  it("are tried at their floating IPs and that of the virtual IP where they have some, and so is the API", async () => {
    const extVirtualLinks = {
      masterNode_CP1: floating,
      workerNode_CP2: { virtualLink: "nodes" },
      vip_CP: floating,
    };
    const recorded = await record(behind({ extVirtualLinks }));
    const { hosts, jumpHost } = ofCluster(recorded);
    expect(jumpHost).toBeUndefined();
    expect(hosts.map(({ host }) => host)).toEqual([1, 2, 3, 9].map((i) => `203.0.113.${i}`));
    const provider = recorded.find(({ type }) => type === "pulumi:providers:kubernetes");
    expect(String(secret(provider?.inputs["kubeconfig"]))).toContain("server: https://203.0.113.9:6440\n");
  });

  it("have the floating IP of their API at the port of Octavia's load balancer", async () => {
    const extVirtualLinks = {
      masterNode_CP1: { virtualLink: "nodes" },
      workerNode_CP2: { virtualLink: "nodes" },
      vip_CP: floating,
    };
    const recorded = await record(behind({ flavour: "ha-octavia", extVirtualLinks }));
    expect(floatingIpsOf(recorded)).toEqual([
      ["vnf-a-vip_CP-floating", { pool: "public", portId: "vip-port" }],
    ]);
  });

  it("ask Octavia for the address of their API where it is chosen", async () => {
    const at = { virtualLink: "nodes" };
    const balancerAt = async (vip_CP: object) => {
      const extVirtualLinks = { masterNode_CP1: at, workerNode_CP2: at, vip_CP };
      const recorded = await record(behind({ flavour: "ha-octavia", extVirtualLinks }));
      return recorded.find(({ type }) => type === "openstack:loadbalancer/loadBalancer:LoadBalancer")?.inputs;
    };
    const any = await balancerAt(at);
    expect(await balancerAt({ ...at, fixedAddresses: ["10.0.0.9"] })).toEqual({
      ...any,
      vipAddress: "10.0.0.9",
    });
  });
});

it("a storage server lets SSH in from the jump host's security group", async () => {
  const at = { virtualLink: "nodes" };
  const vnf = storageVnf({
    virtualLinks: { nodes },
    extVirtualLinks: { masterNode_CP1: floating, workerNode_CP2: at, storage_server_CP: at },
  }) as { additionalParams: { k8s_cluster_installation_param: object } };
  Object.assign(vnf.additionalParams.k8s_cluster_installation_param, { jump_host: { vnfc: "masterNode-1" } });
  const recorded = await record(vnf);
  const rule = recorded.find(({ name }) => name === "vnf-a-storage-tcp-22-masters");
  expect(rule?.inputs).toEqual({
    ...{ securityGroupId: "vnf-a-storage-id", direction: "ingress", ethertype: "IPv4", protocol: "tcp" },
    ...{ portRangeMin: 22, portRangeMax: 22, remoteGroupId: "vnf-a-masters-id" },
  });
  expect(reachOf(recorded, "vnf-a-storage_server-1-release").jumpHost?.host).toBe("203.0.113.1");
});
