/**
 * Three control-plane nodes behind two HAProxy servers: the API stays available at the virtual IP when one HAProxy
 * server is lost and healed, and both follow the declared control-plane nodes. The steps build on each other.
 */
import type { Cluster } from "../../support/cluster";
import { haClusterVnf } from "../../support/configs";
import { declaredEverywhere } from "../../support/declared";
import { TestStack } from "../../support/stack";
import { writeDuring } from "../../support/writes";

jest.setTimeout(20 * 60 * 1000);

let stack: TestStack;
let cluster: Cluster;

const configOf = (masters: number, heal: Readonly<Record<string, string>> = {}) => ({
  "vnf-a": haClusterVnf(masters, 1, {
    flavour: "ha-external-lb",
    extVirtualLinks: Object.fromEntries(
      ["masterNode_CP1", "workerNode_CP2", "loadBalancer_CP3"].map((cp) => [cp, { network: "public" }]),
    ),
    heal,
  }),
});

beforeAll(async () => {
  stack = await TestStack.create("external-lb", configOf(3));
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

const vnf = () => stack.vnf("vnf-a");

async function expectDeclared(masters: number): Promise<void> {
  const masterNames = Array.from({ length: masters }, (_, i) => `vnf-a-masternode-${i + 1}`);
  const names = [...masterNames, "vnf-a-workernode-1"];
  const { "loadBalancer-1": one, "loadBalancer-2": other, ...nodes } = (await vnf()).vnfcs;
  expect([one, other]).not.toContain(undefined);
  expect(await declaredEverywhere(cluster, nodes, [one?.serverId ?? "", other?.serverId ?? ""])).toEqual({
    nodes: names,
    etcd: masterNames,
    haproxy: masterNames,
  });
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
}

it("vnfm brings up three masters behind the load balancers' address", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  const { apiUrl, vnfcs } = await vnf();
  const own = Object.values(vnfcs).flatMap(({ addresses }) => Object.values(addresses));
  expect(own).not.toContain(new URL(apiUrl).hostname);
  expect(new URL(apiUrl).port).toBe("6443");
  await expectDeclared(3);
});

it("the API goes on at that address while the load balancer that has it is lost, and is healed", async () => {
  const { serverId: old } = (await vnf()).vnfcs["loadBalancer-1"] ?? {};
  stack.configure(configOf(3, { "loadBalancer-1": "1" }));
  const [, { longestOutageSeconds, lostWrites }] = await writeDuring(cluster, async () => {
    await stack.cloud.delete("compute", `/servers/${old}`);
    await stack.mustUp();
  });
  expect(lostWrites).toEqual([]);
  expect(longestOutageSeconds).toBeLessThan(20);
  expect((await vnf()).vnfcs["loadBalancer-1"]?.serverId).not.toBe(old);
  await expectDeclared(3);
});

it("the scaling has both follow the declared masters", async () => {
  stack.configure(configOf(5, { "loadBalancer-1": "1" }));
  await stack.mustUp();
  await expectDeclared(5);
});

it("the deletion leaves nothing in OpenStack", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
