/**
 * Clusters from templates on existing networks. `inside` is on the network of its management cluster, named by the
 * network's name and the subnet's id: without load balancer and floating IP, with kube-vip for the control plane, and a
 * second network for workers. `outside` has a new network behind an existing router, an external network by id, and its
 * API at an existing floating IP. The steps build on each other.
 */
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { labWithNetworks } from "../../support/pod-networks";
import { RoutedNetwork } from "../../support/routed-network";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { FROM, IMAGE_OF_FROM, IMAGE_OF_TO, kubelets, TO } from "../../support/versions";
import { writeDuring } from "../../support/writes";

jest.setTimeout(45 * 60_000);

const ADDRESS = "10.60.0.5";

const TEMPLATE = {
  kubernetesVersion: FROM,
  image: IMAGE_OF_FROM,
  controlPlane: { flavor: "m1.medium" },
  nodeGroup: { flavor: "m1.small" },
};

let stack: TestStack;
let site: RoutedNetwork;
let management: object;
let flannel: object;
let externalNetwork: string;
let floatingIp: string;
let router: string;
let inside: Cluster;

interface Changes {
  readonly replicas?: number;
  readonly version?: string;
  readonly image?: string;
}

function insideCluster({ replicas = 1, version = FROM, image = IMAGE_OF_FROM }: Changes = {}): object {
  return {
    clusterTemplate: "kube",
    vim: "vnf-a",
    kubernetesVersion: version,
    image,
    controlPlane: { replicas, healthCheck: { unhealthyTimeout: "2m" } },
    network: { network: "site", subnet: site.subnetId },
    apiServer: { loadBalancer: false, floatingIp: false, fixedIp: ADDRESS, kubeVip: {} },
    nodeGroups: { default: { replicas: 1, additionalPorts: [{ network: "second" }] } },
  };
}

const outsideCluster = () => ({
  clusterTemplate: "kube",
  vim: "vnf-a",
  network: { externalNetwork, router: "edge", nodeCidr: "10.61.0.0/24", dnsNameservers: ["198.19.0.1"] },
  apiServer: { loadBalancerProvider: "ovn", floatingIp, port: 8443 },
  nodeGroups: {},
});

/** @param clusters instances in addition to the management cluster */
const configure = (clusters: object) =>
  stack.configure(
    { ...management, ...clusters },
    { "vnfm:clusterTemplates": { kube: { ...TEMPLATE, addons: { flannel } } } },
  );

beforeAll(async () => {
  await labWithClusterApi();
  await labWithNetworks();
  await mustRun("lab/lab.sh", ["image", TO]);
  stack = await TestStack.create("cluster-networks", {});
  const { cloud } = stack;
  const pool = { start: "10.60.0.100", end: "10.60.0.199" };
  site = await RoutedNetwork.create("site", "10.60.0.0/24", { pool, project: cloud.projectId });
  externalNetwork = await cloud.networkId("public");
  const made = <T>(kind: string, body: object) => cloud.post<T>("network", `/v2.0/${kind}`, body);
  const { network } = await made<{ network: { id: string } }>("networks", { network: { name: "second" } });
  await made("subnets", { subnet: { network_id: network.id, ip_version: 4, cidr: "10.62.0.0/24" } });
  const edge = { name: "edge", external_gateway_info: { network_id: externalNetwork } };
  router = (await made<{ router: { id: string } }>("routers", { router: edge })).router.id;
  // servers with a floating IP behind the router reach the management cluster by this route
  const routes = [{ destination: site.cidr, nexthop: site.gateway }];
  await cloud.put("network", `/v2.0/routers/${router}`, { router: { routes } });
  const { floatingip } = await made<{ floatingip: { floating_ip_address: string } }>("floatingips", {
    floatingip: { floating_network_id: externalNetwork },
  });
  floatingIp = floatingip.floating_ip_address;
  flannel = await labAddon("flannel");
  const onSite = Object.fromEntries(
    ["masterNode_CP1", "workerNode_CP2"].map((point) => [point, { network: "site" }]),
  );
  management = {
    "vnf-a": { ...clusterVnf(1), extVirtualLinks: onSite },
    ...(await managementCnfs(stack.folder)),
  };
});

afterAll(async () => {
  inside?.close();
  // a network can be deleted when it is unused, and must be deleted before its project
  await stack?.must("destroy", "--yes", "--stack", stack.name);
  await site?.remove();
  await stack?.remove();
});

/** Connects to the cluster of an instance, with the kubeconfig in the outputs. */
const connect = async (instance: string) => stack.cluster(instance);

/** Returns the API URL of an instance, from its kubeconfig. */
const apiUrl = async (instance: string) => {
  const vims = await stack.output<Record<string, { access_info: { auth_url: string } }>>("vimConnectionInfo");
  return vims[instance]?.access_info.auth_url;
};

const servers = async () =>
  (
    await stack.cloud.get<{ servers: { id: string; name: string; addresses: Record<string, object[]> }[] }>(
      "compute",
      "/servers/detail",
    )
  ).servers.filter(({ name }) => name.startsWith("inside-"));

const controlPlane = async () =>
  (await inside.readyNodes()).filter((name) => !name.startsWith("inside-default-"));

/** Returns the name of the machine that has the address. */
const holder = async () =>
  (
    await inside.kubectl([
      ...["get", "lease", "-n", "kube-system", "kube-vip-control-plane"],
      ...["-o", "jsonpath={.spec.holderIdentity}"],
    ])
  ).trim();

it("vnfm makes a cluster on the networks that are there, with its API at an address of the one", async () => {
  configure({ inside: insideCluster() });
  await stack.mustUp();
  inside = await connect("inside");
  expect(await inside.readyNodes()).toHaveLength(2);
  expect(await apiUrl("inside")).toBe(`https://${ADDRESS}:6443`);
  const [worker] = (await servers()).filter(({ name }) => name.startsWith("inside-default-"));
  expect(Object.keys(worker?.addresses ?? {}).sort()).toEqual(["second", "site"]);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster has three machines of the control plane instead of one, while the API answers", async () => {
  configure({ inside: insideCluster({ replicas: 3 }) });
  const [, written] = await writeDuring(inside, () => stack.mustUp());
  expect(written.lostWrites).toEqual([]);
  expect(await controlPlane()).toHaveLength(3);
});

it("the API goes on at its address when the machine that has it is lost", async () => {
  const lost = await holder();
  const server = (await servers()).find(({ name }) => name === lost);
  if (server === undefined) throw new Error(`there is no server ${lost}`);
  await stack.cloud.delete("compute", `/servers/${server.id}`);
  await until(120, "another machine to have the address", async () => {
    const now = await holder().catch(() => lost);
    return now !== lost;
  });
  await until(600, "another machine in its place", async () => {
    const ready = await controlPlane().catch((): string[] => []);
    return ready.length === 3 && !ready.includes(lost);
  });
  expect(await stack.changes()).toEqual([]);
});

it("the cluster is upgraded, and loses no write that was acknowledged", async () => {
  configure({ inside: insideCluster({ replicas: 3, version: TO, image: IMAGE_OF_TO }) });
  const [, written] = await writeDuring(inside, () => stack.mustUp());
  process.stderr.write(`upgrade: ${JSON.stringify({ ...written, lostWrites: written.lostWrites.length })}\n`);
  expect(written.lostWrites).toEqual([]);
  await until(300, "the Nodes of the former machines to go", async () =>
    Object.values(await kubelets(inside)).every((version) => version === TO),
  );
  expect(await controlPlane()).toHaveLength(3);
});

it("the deletion leaves the networks that were there as they were", async () => {
  configure({});
  await stack.mustUp();
  expect(await servers()).toEqual([]);
  const { networks } = await stack.cloud.get<{ networks: { name: string }[] }>(
    "network",
    stack.cloud.ofProject("networks"),
  );
  expect(networks.map(({ name }) => name).sort()).toEqual(["second", "site"]);
});

it("vnfm makes a cluster behind the router that is there, with its API at the floating IP that is there and a port of its own", async () => {
  configure({ outside: outsideCluster() });
  await stack.mustUp();
  const outside = await connect("outside");
  try {
    expect(await outside.readyNodes()).toHaveLength(1);
  } finally {
    outside.close();
  }
  expect(await apiUrl("outside")).toBe(`https://${floatingIp}:8443`);
  expect(await stack.changes()).toEqual([]);
  configure({});
  await stack.mustUp();
  const { routers } = await stack.cloud.get<{ routers: { id: string }[] }>(
    "network",
    stack.cloud.ofProject("routers"),
  );
  expect(routers.map(({ id }) => id)).toEqual([router]);
});
