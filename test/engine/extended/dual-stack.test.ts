/**
 * A cluster whose pods and Services have IPv4 and IPv6 addresses, on a dual-stack tenant network behind a router. The
 * steps build on each other.
 */
import { stringify } from "yaml";
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { REQUEST_PAGE, pageDaemon } from "../../support/page-daemon";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(20 * 60 * 1000);

const IPV6 = /^fd00:/;

const vnfs = (workers: number) => {
  const its = clusterVnf(workers, { jump_host: { vnfc: "masterNode-1" } }) as {
    additionalParams: { k8s_cluster_installation_param: { master_node: object } };
  };
  Object.assign(its.additionalParams.k8s_cluster_installation_param.master_node, {
    pod_cidr_ipv6: "fd00:10:244::/56",
    cluster_cidr_ipv6: "fd00:10:96::/112",
  });
  return {
    "vnf-a": {
      ...its,
      virtualLinks: {
        nodes: {
          subnets: [{ cidr: "10.50.0.0/24" }, { cidr: "fd00:50::/64" }],
          dnsNameservers: ["198.19.0.1"],
          router: { externalNetwork: "public" },
        },
      },
      extVirtualLinks: {
        masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
        workerNode_CP2: { virtualLink: "nodes" },
      },
    },
  };
};

interface Addresses {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

const PAGES = [
  pageDaemon("both"),
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "page", namespace: "default" },
    spec: {
      ipFamilyPolicy: "RequireDualStack",
      ...{ selector: { app: "page" }, ports: [{ port: 80 }] },
    },
  },
];

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  stack = await TestStack.create("dual-stack", vnfs(1));
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

const pods = () => cluster.list<Addresses>("pods", "-l", "app=page");
/** Requests the page of an address from a pod. */
const fetched = (pod: string, address: string) =>
  cluster.kubectl(["exec", pod, "--", ...REQUEST_PAGE, address]);

it("the cluster has nodes of both families", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  for (const { status } of await cluster.list<Addresses>("nodes")) {
    const addresses = (status.addresses ?? []).filter(({ type }) => type === "InternalIP");
    expect(addresses.map(({ address }) => address)).toEqual([
      expect.stringMatching(/^10\.50\.0\./),
      expect.stringMatching(/^fd00:50::/),
    ]);
  }
  expect(await stack.changes()).toEqual([]);
});

it("the cluster has pods that reach each other by IPv6 on another node, and by a Service's address of either family", async () => {
  await cluster.kubectl(["apply", "-f", "-"], PAGES.map((it) => stringify(it)).join("---\n"));
  await cluster.kubectl(["rollout", "status", "daemonset/page", "--timeout=3m"]);
  const [one, other] = await pods();
  const addressOf = (pod: Addresses | undefined) =>
    pod?.status.podIPs?.map(({ ip }) => ip).find((ip) => IPV6.test(ip)) ?? "";
  expect([addressOf(one), addressOf(other)]).toEqual([
    expect.stringMatching(/^fd00:10:244:/),
    expect.stringMatching(/^fd00:10:244:/),
  ]);
  const client = one?.metadata.name ?? "";
  expect(await fetched(client, addressOf(other))).toMatch(/\nboth\n$/);
  const service = JSON.parse(await cluster.kubectl(["get", "service", "page", "-o", "json"])) as {
    spec: { clusterIPs: string[] };
  };
  const [ofIpv4 = "", ofIpv6 = ""] = service.spec.clusterIPs;
  expect(ofIpv6).toMatch(/^fd00:10:96::/);
  for (const address of [ofIpv4, ofIpv6])
    await until(60, `the Service to answer at ${address}`, async () =>
      (await fetched(client, address).catch(() => "")).endsWith("\nboth\n"),
    );
});

it("the cluster has a worker more that does the same", async () => {
  stack.configure(vnfs(2));
  await stack.mustUp();
  expect(await cluster.readyNodes()).toHaveLength(3);
  await cluster.kubectl(["rollout", "status", "daemonset/page", "--timeout=3m"]);
  const all = await pods();
  expect(all).toHaveLength(3);
  const [first] = all;
  for (const { status } of all) {
    const address = status.podIPs?.map(({ ip }) => ip).find((ip) => IPV6.test(ip)) ?? "";
    expect(await fetched(first?.metadata.name ?? "", address)).toMatch(/\nboth\n$/);
  }
  expect(await stack.changes()).toEqual([]);
});
