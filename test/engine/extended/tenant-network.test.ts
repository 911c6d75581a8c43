/**
 * A cluster on a tenant network with a router, both created by vnfm: only the floating IP of the control-plane node is
 * reachable from outside, which is also the jump host to the other nodes.
 */
import type { Cluster } from "../../support/cluster";
import { clusterVnf, webCnf } from "../../support/configs";
import { missingInCloud } from "../../support/cut-off";
import { onServer } from "../../support/guest";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60 * 1000);

interface FloatingIp {
  readonly floating_ip_address: string;
  readonly fixed_ip_address: string;
}

const clusterOnTenantNetwork = (changes: object = {}) => ({
  ...clusterVnf(1, { jump_host: { vnfc: "masterNode-1" } }),
  virtualLinks: {
    nodes: {
      subnets: [{ cidr: "10.30.0.0/24", ipAllocationPools: [{ start: "10.30.0.100", end: "10.30.0.199" }] }],
      dnsNameservers: ["198.19.0.1"],
      router: { externalNetwork: "public" },
    },
  },
  extVirtualLinks: {
    masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
    workerNode_CP2: { virtualLink: "nodes" },
  },
  ...changes,
});

const vnfs = (changes: object = {}) => ({ "vnf-a": clusterOnTenantNetwork(changes), web: webCnf("web") });

let stack: TestStack;
let cluster: Cluster;

const outputs = () => stack.vnf("vnf-a");
const floatingIps = async () => {
  const { cloud } = stack;
  const { floatingips } = await cloud.get<{ floatingips: FloatingIp[] }>(
    "network",
    cloud.ofProject("floatingips"),
  );
  return floatingips;
};

beforeAll(async () => {
  stack = await TestStack.create("tenant-network", vnfs());
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

it("the cluster is made with its network, router and floating IP, and with a CNF on it, in one run", async () => {
  await stack.mustUp();
  const { apiUrl, vnfcs } = await outputs();
  const [master, worker] = [vnfcs["masterNode-1"], vnfcs["workerNode-1"]];
  const inside = [master?.addresses["masterNode_CP1"], worker?.addresses["workerNode_CP2"]];
  expect(inside.every((address) => /^10\.30\.0\.1\d\d$/.test(address ?? ""))).toBe(true);
  expect(worker?.floatingIps).toBeUndefined();
  const address = master?.floatingIps?.["masterNode_CP1"];
  expect(address).toMatch(/^198\.19\.0\.\d+$/);
  expect(apiUrl).toBe(`https://${address}:6443`);
  expect(
    (await floatingIps()).map(({ floating_ip_address, fixed_ip_address }) => [
      floating_ip_address,
      fixed_ip_address,
    ]),
  ).toEqual([[address, inside[0]]]);
  expect(await stack.changes()).toEqual([]);
  expect(await missingInCloud(stack)).toEqual([]);
});

it("the API takes kubectl at the floating IP, whose certificate is for it", async () => {
  cluster = await stack.cluster("vnf-a");
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
});

it("the cluster has its servers know the DNS server of the virtual link", async () => {
  const { cloud } = stack;
  const { subnets } = await cloud.get<{ subnets: { cidr: string; dns_nameservers: string[] }[] }>(
    "network",
    cloud.ofProject("subnets"),
  );
  expect(subnets.map(({ cidr, dns_nameservers }) => [cidr, dns_nameservers])).toEqual([
    ["10.30.0.0/24", ["198.19.0.1"]],
  ]);
  expect(await onServer(stack, "workerNode-1", "cat /etc/resolv.conf")).toContain("nameserver 198.19.0.1");
});

it("the cluster lets `vnfm ssh`, `vnfm check` and `vnfm mend` at a worker through the jump host", async () => {
  const { status, stdout } = await stack.vnfm("ssh", "vnf-a", "workerNode-1", "hostname");
  expect([status, stdout.trim()]).toEqual([0, "vnf-a-workernode-1"]);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
  await onServer(
    stack,
    "workerNode-1",
    "hosts=$(sed '/ vnf-a-workernode-1$/d' /etc/hosts); echo \"$hosts\" >/etc/hosts",
  );
  expect(await stack.check()).toMatchObject({
    status: 5,
    found: [expect.stringMatching(/^workerNode-1: \/etc\/hosts does not name vnf-a-workernode-1 at 10\./)],
  });
  expect((await stack.vnfm("mend", "--yes")).status).toBe(0);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
});

it("vnfm heals a worker behind the jump host, and keeps its address", async () => {
  const before = (await outputs()).vnfcs["workerNode-1"];
  stack.configure(vnfs({ heal: { "workerNode-1": "1" } }));
  await stack.mustUp();
  const healed = (await outputs()).vnfcs["workerNode-1"];
  expect(healed?.serverId).not.toBe(before?.serverId);
  expect(healed?.addresses).toEqual(before?.addresses);
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  expect(await stack.changes()).toEqual([]);
});

it("vnfm heals the jump host, which keeps its floating IP, the cluster and its API", async () => {
  const before = await outputs();
  const heal = { "workerNode-1": "1", "masterNode-1": "1" };
  stack.configure(vnfs({ heal }));
  await stack.mustUp();
  const after = await outputs();
  const [old, healed] = [before, after].map(({ vnfcs }) => vnfcs["masterNode-1"]);
  expect(healed?.serverId).not.toBe(old?.serverId);
  expect(healed?.floatingIps).toEqual(old?.floatingIps);
  expect(after.apiUrl).toBe(before.apiUrl);
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves no router, floating IP or network", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
