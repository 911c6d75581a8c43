/**
 * Three masters behind a load balancer of the cloud: the API goes on at its address when a master is lost, which is
 * healed through the others. The steps build on each other.
 */
import { Cluster } from "../../support/cluster";
import { haClusterVnf, kubeadmCluster } from "../../support/configs";
import { isPending, reached, recover, unfound, upKilledWhen } from "../../support/cut-off";
import { RoutedNetwork } from "../../support/routed-network";
import { TestStack } from "../../support/stack";
import { writeDuring } from "../../support/writes";

jest.setTimeout(15 * 60 * 1000);

const NODES = [1, 2, 3].map((i) => `vnf-a-masternode-${i}`).concat("vnf-a-workernode-1");

interface Outputs {
  readonly "vnf-a": {
    readonly apiUrl: string;
    readonly vnfcs: Record<string, { readonly serverId: string }>;
  };
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

const vnf = async () => (await stack.output<Outputs>("vnfs"))["vnf-a"];

beforeAll(async () => {
  // OVN balances what a router forwards, not what comes from a provider network
  network = await RoutedNetwork.create("octavia", "10.6.0.0/24");
  stack = await TestStack.create("octavia", configOf());
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  await network?.remove();
});

it("takes up the load balancer that was being made when the run was killed", async () => {
  await upKilledWhen(stack, async () => reached(stack, "vnf-a-vip_CP") && (await balancers()).length === 1);
  // else the engine had it already
  const isCutOff = isPending(stack, "creating", "vnf-a-vip_CP");
  expect((await recover(stack)).includes("vnf-a-vip_CP: found ")).toBe(isCutOff);
});

it("brings up three masters behind the load balancer's address", async () => {
  await stack.mustUp();
  const kubeconfigs = await stack.output<Record<string, string>>("kubeconfigs");
  cluster = await Cluster.connect(kubeconfigs["vnf-a"] ?? "");
  expect(await cluster.readyNodes()).toEqual(NODES);
  expect(
    (await balancers()).map(({ provider, vip_address }) => [provider, `https://${vip_address}:6443`]),
  ).toEqual([["ovn", (await vnf()).apiUrl]]);
  expect(await stack.changes()).toEqual([]);
  expect(await unfound(stack)).toEqual([]);
});

it("goes on at that address while a master is lost, and is healed", async () => {
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

it("leaves nothing in OpenStack", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
