/**
 * A pod with a second network by Multus: it gets the second port of its worker, with the address from Neutron, on a
 * tenant network with a router, and answers requests from outside the cluster there.
 */
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { changedClusterPackage, withSecondPort } from "../../support/cluster-package";
import { clusterVnf } from "../../support/configs";
import { labWithNetworks, multusCnf } from "../../support/pod-networks";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { objectsCnf } from "../../support/workload-cluster";

jest.setTimeout(20 * 60_000);

const ADDRESS = "10.40.0.10";

let stack: TestStack;
let cluster: Cluster;

/** NetworkAttachmentDefinition that moves the worker's second port into a pod, by the CNI plugin host-device. */
const SECOND = {
  apiVersion: "k8s.cni.cncf.io/v1",
  kind: "NetworkAttachmentDefinition",
  metadata: { name: "second", namespace: "web" },
  spec: {
    config: JSON.stringify({
      cniVersion: "0.4.0",
      name: "second",
      type: "host-device",
      device: "eth1",
      ipam: {
        type: "static",
        addresses: [{ address: `${ADDRESS}/24` }],
        // answers take the same way back as the requests
        routes: [{ dst: "198.19.0.0/24", gw: "10.40.0.1" }],
      },
    }),
  },
};

const PAGE = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "web" },
  spec: {
    replicas: 1,
    // only one pod at a time can have the port
    strategy: { type: "Recreate" },
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" }, annotations: { "k8s.v1.cni.cncf.io/networks": "second" } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: "web",
            image: "docker.io/library/busybox:1.36",
            command: ["sh", "-c", "echo second >/tmp/index.html; exec httpd -f -p 80 -h /tmp"],
          },
        ],
      },
    },
  },
};

const NAMESPACE = { apiVersion: "v1", kind: "Namespace", metadata: { name: "web" } };

beforeAll(async () => {
  await labWithNetworks();
  stack = await TestStack.create("second-network", {});
  changedClusterPackage(join(stack.folder, "package"), "simple", withSecondPort);
  const vnfA = clusterVnf(1, { ingress_rules: [{ ports: ["tcp/80"], cidrs: ["198.19.0.0/24"] }] }) as {
    extVirtualLinks: object;
  };
  stack.configure({
    "vnf-a": {
      ...vnfA,
      package: "package",
      virtualLinks: {
        second: {
          subnets: [
            { cidr: "10.40.0.0/24", ipAllocationPools: [{ start: "10.40.0.100", end: "10.40.0.199" }] },
          ],
          router: { externalNetwork: "public" },
        },
      },
      extVirtualLinks: {
        ...vnfA.extVirtualLinks,
        workerNode_CP3: { virtualLink: "second", floatingNetwork: "public", fixedAddresses: [ADDRESS] },
      },
    },
    multus: multusCnf("vnf-a"),
    web: objectsCnf(stack.folder, "web-package", "vnf-a", [NAMESPACE, SECOND, PAGE]),
  });
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

it("the second network is made in one run with the cluster", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  expect(await stack.changes()).toEqual([]);
});

interface Pod {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
}

it("the pod has the address of the worker's port on its second network", async () => {
  const [pod] = await cluster.list<Pod>("pods", "-n", "web", "-l", "app=web");
  const status = JSON.parse(pod?.metadata.annotations["k8s.v1.cni.cncf.io/network-status"] ?? "[]") as {
    name: string;
    ips: string[];
  }[];
  expect(status.find(({ name }) => name === "web/second")?.ips).toEqual([ADDRESS]);
});

it("the pod answers from outside at the floating IP of the port", async () => {
  const { floatingips } = await stack.cloud.get<{
    floatingips: { fixed_ip_address: string; floating_ip_address: string }[];
  }>("network", stack.cloud.ofProject("floatingips"));
  const floating = floatingips.find((ip) => ip.fixed_ip_address === ADDRESS)?.floating_ip_address ?? "";
  const page = async () =>
    (
      await fetch(`http://${floating}/`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    )?.text();
  await until(60, "the page at the floating IP", async () => (await page()) === "second\n");
});
