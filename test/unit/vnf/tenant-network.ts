import { makeVnfs } from "../../../components/deploy/instance";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../../components/vnfd/package";
import { clusterVnf, haClusterVnf, kubeadmCluster, storageVnf } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
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
  const { settings } = parseSettings({ "vnf-a": vnf });
  makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => undefined }));
  await settle();
  return recorded;
}

const secret = (value: unknown): unknown => (value as { value?: unknown } | undefined)?.value;
const connectionOf = (recorded: readonly RecordedResource[], name: string) =>
  secret(recorded.find((one) => one.name === name)?.inputs["connection"]) as Record<string, unknown>;
const stdinOf = (recorded: readonly RecordedResource[], name: string) =>
  String(secret(recorded.find((one) => one.name === name)?.inputs["stdin"]));
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
    // dependencies let them come in another order
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
        { ...common, cidr: "10.0.0.0/24", ipVersion: 4, dnsNameservers: ["198.51.100.53"] },
      ],
      [
        "Subnet",
        "vnf-a-nodes-2",
        { ...common, cidr: "fd00:30::/64", ipVersion: 6, dnsNameservers: ["fd00::53"] },
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
    const login = { user: "debian", privateKey: "-----BEGIN\n", hostKey: "ssh-ed25519 AAAA" };
    const patience = { dialErrorLimit: 60, perDialTimeout: 15 };
    const master = { ...login, ...patience, host: "203.0.113.1", port: 22 };
    expect(connectionOf(recorded, "vnf-a-masterNode-1-prepare")).toEqual(master);
    const worker = connectionOf(recorded, "vnf-a-workerNode-1-prepare");
    expect(worker).toEqual({
      ...login,
      ...patience,
      host: "10.0.0.33",
      port: 22,
      proxy: master,
    });
  });

  it("has its API at the port's address for nodes, at the floating IP for others, in one certificate", () => {
    const config = stdinOf(recorded, "vnf-a-masterNode-1-init");
    const [, inside = ""] = /controlPlaneEndpoint: (\S+):6443/.exec(config) ?? [];
    expect(inside).toMatch(/^10\.0\.0\./);
    expect(config).toContain(`  certSANs:\n    - ${inside}\n    - 203.0.113.1\n`);
    const provider = recorded.find(({ type }) => type === "pulumi:providers:kubernetes");
    expect(String(secret(provider?.inputs["kubeconfig"]))).toContain("server: https://203.0.113.1:6443\n");
    expect(stdinOf(recorded, "vnf-a-workerNode-1-join")).toContain(`apiServerEndpoint: ${inside}:6443`);
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
    const step = stdinOf(recorded, `${name}-pod-cidr`);
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
  const dataOf = (recorded: readonly RecordedResource[]) =>
    stdinOf(recorded, "vnf-a-masterNode-1-cni").split("remote_command=")[0];

  it("are tried through the jump host where they have no floating IPs", async () => {
    const at = { virtualLink: "nodes" };
    const recorded = await record(behind({ extVirtualLinks: { masterNode_CP1: at, workerNode_CP2: at } }));
    const data = dataOf(recorded);
    expect(data).toContain(
      `jump_host='jump.example'\njump_port='22'\njump_host_key='${HOST_KEY}'\njump_user='debian'\njump_password=''\njump_keys='-----BEGIN'\n`,
    );
    expect(data).toMatch(/masters='(10\.0\.0\.\d+ ){3}10\.0\.0\.\d+'\n/);
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
    for (const name of ["vnf-a-evacuation", "vnf-a-workerNode-1-present-key"])
      expect(stdinOf(recorded, name)).toContain("jump_host='jump.example'\n");
  });

  it("are asked through a worker too, before the cluster is made anew", async () => {
    const extVirtualLinks = { masterNode_CP1: { virtualLink: "nodes" }, workerNode_CP2: floating };
    const additionalParams = kubeadmCluster({ jump_host: { vnfc: "workerNode-1" } });
    const recorded = await record(behind({ extVirtualLinks, additionalParams, heal: { all: "1" } }));
    expect(stdinOf(recorded, "vnf-a-evacuation")).toContain("jump_host='203.0.113.9'\n");
  });

  it("are tried at their floating IPs and that of the virtual IP where they have some, and so is the API", async () => {
    const extVirtualLinks = {
      masterNode_CP1: floating,
      workerNode_CP2: { virtualLink: "nodes" },
      vip_CP: floating,
    };
    const recorded = await record(behind({ extVirtualLinks }));
    const data = dataOf(recorded);
    expect(data).not.toContain("jump_host=");
    expect(data).toContain("masters='203.0.113.1 203.0.113.2 203.0.113.3 203.0.113.9'\n");
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
});

it("a storage server lets SSH in from the jump host's security group", async () => {
  const at = { virtualLink: "nodes" };
  const vnf = storageVnf({
    virtualLinks: { nodes },
    extVirtualLinks: { masterNode_CP1: floating, workerNode_CP2: at, storage_server_CP: at },
  }) as { additionalParams: { k8s_cluster_installation_param: object } };
  Object.assign(vnf.additionalParams.k8s_cluster_installation_param, { jump_host: { vnfc: "masterNode-1" } });
  const recorded = await record(vnf);
  const rule = recorded.find(({ name }) => name === "vnf-a-storage-tcp-22-jump-host");
  expect(rule?.inputs).toEqual({
    ...{ securityGroupId: "vnf-a-storage-id", direction: "ingress", ethertype: "IPv4", protocol: "tcp" },
    ...{ portRangeMin: 22, portRangeMax: 22, remoteGroupId: "vnf-a-id" },
  });
  expect(stdinOf(recorded, "vnf-a-storage_server-1-release")).toContain("jump_host='203.0.113.1'\n");
});
