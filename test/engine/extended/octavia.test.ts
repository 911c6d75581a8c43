/**
 * Three control-plane nodes behind an Octavia load balancer with a chosen address, on a dual-stack network: the API
 * stays available when a control-plane node is lost, which is then healed through the others. The steps build on each
 * other.
 */
import { isIP } from "node:net";
import type { Cluster } from "../../support/cluster";
import { haClusterVnf, kubeadmCluster } from "../../support/configs";
import { isPending, reached, recover, missingInCloud, upKilledWhen } from "../../support/cut-off";
import { expectRebuilt } from "../../support/lost-state";
import { RoutedNetwork } from "../../support/routed-network";
import { TestStack } from "../../support/stack";
import { writeDuring } from "../../support/writes";

jest.setTimeout(15 * 60 * 1000);

/** Address outside the pool from which Neutron chooses. */
const VIP = "10.6.0.210";

const NODES = [1, 2, 3].map((i) => `vnf-a-masternode-${i}`).concat("vnf-a-workernode-1");

interface Port {
  readonly device_owner: string;
  readonly fixed_ips: readonly { readonly ip_address: string }[];
}

interface LoadBalancer {
  readonly name: string;
  readonly vip_address: string;
  readonly provider: string;
}

let stack: TestStack;
let network: RoutedNetwork;
let cluster: Cluster;

const configOf = (heal: Readonly<Record<string, string>> = {}) => ({
  "vnf-a": haClusterVnf(3, 1, {
    flavour: "ha-octavia",
    extVirtualLinks: {
      masterNode_CP1: { network: network.name },
      workerNode_CP2: { network: network.name },
      vip_CP: { network: network.name, fixedAddresses: [VIP] },
    },
    additionalParams: kubeadmCluster({ load_balancer: { provider: "ovn" } }),
    heal,
  }),
});

async function balancers(): Promise<readonly LoadBalancer[]> {
  const { loadbalancers } = await stack.cloud.get<{ loadbalancers: LoadBalancer[] }>(
    "load-balancer",
    "/v2/lbaas/loadbalancers",
  );
  return loadbalancers;
}

/** Returns the listeners' timeouts for idle clients and members, in milliseconds. */
async function listenerTimeouts(): Promise<readonly (readonly number[])[]> {
  const { listeners } = await stack.cloud.get<{
    listeners: { timeout_client_data: number; timeout_member_data: number }[];
  }>("load-balancer", "/v2/lbaas/listeners");
  return listeners.map((listener) => [listener.timeout_client_data, listener.timeout_member_data]);
}

const vnf = () => stack.vnf("vnf-a");

beforeAll(async () => {
  // OVN balances traffic that a router forwards, but not traffic from a provider network
  network = await RoutedNetwork.create("octavia", "10.6.0.0/24", {
    cidrOfIPv6: "fd00:6::/64",
    pool: { start: "10.6.0.20", end: "10.6.0.199" },
  });
  stack = await TestStack.create("octavia", configOf());
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  await network?.remove();
});

it("the recovery takes up the load balancer that was being made when the run was killed", async () => {
  await upKilledWhen(stack, async () => reached(stack, "vnf-a-vip_CP") && (await balancers()).length === 1);
  // otherwise the engine had created it before the kill
  const isCutOff = isPending(stack, "creating", "vnf-a-vip_CP");
  expect((await recover(stack)).includes("vnf-a-vip_CP: found ")).toBe(isCutOff);
});

it("vnfm brings up three masters behind the load balancer's address", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  expect(await cluster.readyNodes()).toEqual(NODES);
  expect(
    (await balancers()).map(({ provider, vip_address }) => [provider, `https://${vip_address}:6443`]),
  ).toEqual([["ovn", `https://${VIP}:6443`]]);
  expect((await vnf()).apiUrl).toBe(`https://${VIP}:6443`);
  expect(await listenerTimeouts()).toEqual([[3_600_000, 3_600_000]]);
  expect(await stack.changes()).toEqual([]);
  expect(await missingInCloud(stack)).toEqual([]);
});

it("the lost state is made again, with the load balancer", async () => {
  await expectRebuilt(stack);
});

it("the load balancer uses the IPv4 addresses of ports that have one of IPv6 too", async () => {
  const { ports } = await stack.cloud.get<{ ports: Port[] }>("network", stack.cloud.ofProject("ports"));
  const versions = ports
    .filter(({ device_owner }) => device_owner.startsWith("compute:"))
    .map(({ fixed_ips }) => fixed_ips.map(({ ip_address }) => isIP(ip_address)).sort());
  expect(versions).toEqual(NODES.map(() => [4, 6]));
  const addresses = Object.values((await vnf()).vnfcs).flatMap((vnfc) => Object.values(vnfc.addresses));
  expect(addresses.map((address) => address.replace(/\d+$/, ""))).toEqual(NODES.map(() => "10.6.0."));
  const internal = await cluster.kubectl([
    ...["get", "nodes", "-o"],
    `jsonpath={.items[*].status.addresses[?(@.type=="InternalIP")].address}`,
  ]);
  expect(internal.split(" ").sort()).toEqual(addresses.sort());
});

it("the API goes on at that address while a master is lost, and is healed", async () => {
  const { serverId: old } = (await vnf()).vnfcs["masterNode-1"] ?? {};
  stack.configure(configOf({ "masterNode-1": "1" }));
  const [, { longestOutageSeconds, lostWrites }] = await writeDuring(cluster, async () => {
    await stack.cloud.delete("compute", `/servers/${old}`);
    await stack.mustUp();
  });
  expect(lostWrites).toEqual([]);
  expect(longestOutageSeconds).toBeLessThan(30);
  expect((await vnf()).vnfcs["masterNode-1"]?.serverId).not.toBe(old);
  expect(await cluster.readyNodes()).toEqual(NODES);
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves nothing in OpenStack", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
