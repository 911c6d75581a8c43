/**
 * A kubeadm cluster on a tenant network, with routes to its pods in Neutron's router and without an overlay. A storage
 * server on that network represents clients outside the cluster. The steps build on each other.
 */
import { stringify } from "yaml";
import type { Cluster } from "../../support/cluster";
import { storageVnf } from "../../support/configs";
import { onServer } from "../../support/guest";
import { expectRebuilt } from "../../support/lost-state";
import { REQUEST_PAGE, pageDaemon } from "../../support/page-daemon";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(40 * 60_000);

const NODES = "10.30.0.0/24";

interface Route {
  readonly destination: string;
  readonly nexthop: string;
}

interface KubeNode {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly podCIDR: string };
  readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
}

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName: string };
  readonly status: { readonly podIP: string };
}

let stack: TestStack;
let cluster: Cluster;

const vnfs = (workers: number, changes: object = {}) => {
  const its = storageVnf() as { additionalParams: { k8s_cluster_installation_param: object } };
  const installation = its.additionalParams.k8s_cluster_installation_param as {
    storage_server: { nfs_server_setup_params: { export_to: string }[] };
  };
  for (const params of installation.storage_server.nfs_server_setup_params) params.export_to = NODES;
  Object.assign(installation, {
    jump_host: { vnfc: "masterNode-1" },
    pod_network: "neutron",
    ingress_rules: [{ ports: ["tcp/80"], cidrs: [NODES] }],
  });
  return {
    "vnf-a": {
      ...its,
      scale: { worker_instance: workers - 1 },
      virtualLinks: {
        nodes: {
          subnets: [{ cidr: NODES }],
          dnsNameservers: ["198.19.0.1"],
          router: { externalNetwork: "public" },
        },
      },
      extVirtualLinks: {
        masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
        workerNode_CP2: { virtualLink: "nodes" },
        storage_server_CP: { virtualLink: "nodes" },
      },
      ...changes,
    },
  };
};

beforeAll(async () => {
  stack = await TestStack.create("pod-network", {});
});

afterAll(async () => {
  cluster?.close();
  await stack?.pulumi("state", "unprotect", "--all", "--yes", "--stack", stack.name);
  await stack?.remove();
});

const routes = async () => {
  const { cloud } = stack;
  const { routers } = await cloud.get<{ routers: { routes: Route[] }[] }>(
    "network",
    cloud.ofProject("routers"),
  );
  return routers
    .flatMap((router) => router.routes)
    .map(({ destination, nexthop }) => `${destination} by ${nexthop}`)
    .sort();
};

/** Expects a route to the pod CIDR of each node, and no other route. */
async function expectRoutes(wanted: Readonly<Record<string, string>>): Promise<void> {
  const nodes = await cluster.list<KubeNode>("nodes");
  expect(Object.fromEntries(nodes.map(({ metadata, spec }) => [metadata.name, spec.podCIDR]))).toEqual(
    wanted,
  );
  const addressOf = ({ status }: KubeNode) =>
    status.addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
  expect(await routes()).toEqual(nodes.map((node) => `${node.spec.podCIDR} by ${addressOf(node)}`).sort());
}

const pods = () => cluster.list<Pod>("pods", "-l", "app=page");

/** Lists the client addresses in a pod's log. */
const clientsOf = async ({ metadata }: Pod) =>
  [
    ...(await cluster.kubectl(["logs", metadata.name])).matchAll(/\[::ffff:([\d.]+)\]:\d+: response:200/g),
  ].map(([, address]) => address);

const fetched = (from: Pod, { status }: Pod) =>
  cluster.kubectl(["exec", from.metadata.name, "--", ...REQUEST_PAGE, status.podIP]);

/** Expects an answer within some time, because OVN applies changes of routers and ports with a delay. */
const expectReached = (from: string, pod: Pod, ask: () => Promise<string>) =>
  until(60, `${pod.metadata.name} to answer ${from}`, async () =>
    (await ask().catch(() => "")).endsWith("routed\n"),
  );

/**
 * Expects that the pods of all nodes reach each other. The pods are listed each time: kube-controller-manager deletes
 * the pod of a lost node after a minute, and the pod of a healed node has another address.
 */
const expectEachReached = () =>
  until(90, "the pod of each node to answer that of another", async () => {
    const nodes = new Set((await cluster.list<KubeNode>("nodes")).map(({ metadata }) => metadata.name));
    const there = (await pods()).filter(({ spec }) => nodes.has(spec.nodeName));
    const answers = await Promise.all(
      there.flatMap((from) =>
        there.filter((to) => to !== from).map((to) => fetched(from, to).catch(() => "")),
      ),
    );
    return answers.length > 0 && answers.every((answer) => answer.endsWith("routed\n"));
  });

it("the cluster is made with a route to the pods of each node, and without an overlay", async () => {
  stack.configure(vnfs(2));
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  await expectRoutes({
    "vnf-a-masternode-1": "10.244.255.0/24",
    "vnf-a-workernode-1": "10.244.0.0/24",
    "vnf-a-workernode-2": "10.244.1.0/24",
  });
  expect(await onServer(stack, "workerNode-1", "ip -o link show type vxlan")).toBe("");
});

it("the cluster has pods that reach those of other nodes, with their own addresses", async () => {
  await cluster.kubectl(["apply", "-f", "-"], stringify(pageDaemon("routed")));
  await cluster.kubectl(["rollout", "status", "daemonset/page", "--timeout=3m"]);
  const [one, ...others] = await pods();
  expect(others).toHaveLength(2);
  for (const other of others) {
    await expectReached("another pod", other, () => fetched(one as Pod, other));
    expect(new Set(await clientsOf(other))).toEqual(new Set([one?.status.podIP]));
  }
});

it("the cluster has pods that a server outside of the cluster reaches", async () => {
  const { vnfcs } = await stack.vnf("vnf-a");
  const { addresses = {} } = vnfcs["storage_server-1"] ?? {};
  for (const pod of await pods()) {
    const ask = () =>
      onServer(stack, "storage_server-1", `curl -sS --max-time 5 http://${pod.status.podIP}/`);
    await expectReached("a server", pod, ask);
    expect(await clientsOf(pod)).toContain(addresses["storage_server_CP"]);
  }
});

it("the stack has no changes, and nothing to mend", async () => {
  expect(await stack.changes()).toEqual([]);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
});

it("the lost state is made again, with the routes and the storage server", async () => {
  await expectRebuilt(stack);
});

it("vnfm takes the route of a worker out with it, and keeps that of one that is healed", async () => {
  stack.configure(vnfs(1, { heal: { "workerNode-1": "1" } }));
  await stack.mustUp();
  await expectRoutes({ "vnf-a-masternode-1": "10.244.255.0/24", "vnf-a-workernode-1": "10.244.0.0/24" });
  await cluster.kubectl(["rollout", "status", "daemonset/page", "--timeout=3m"]);
  await expectEachReached();
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves nothing once it is taken out", async () => {
  stack.configure(vnfs(1, { heal: { "workerNode-1": "1" }, protectVolumes: false }));
  await stack.mustUp();
  stack.configure({});
  await stack.mustUp();
  // Cinder may not have finished an accepted deletion
  await until(60, "an empty project", async () => (await stack.cloud.inventory()).length === 0);
});
