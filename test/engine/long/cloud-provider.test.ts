/**
 * A kubeadm cluster with a cloud provider and pods on Neutron's routes, as Kuryr-Kubernetes has both: a Service with an
 * Octavia load balancer and a floating IP, and a PVC with a Cinder volume, which follows its pod. The steps build on
 * each other.
 */
import { BALANCED_PAGE } from "../../support/balanced-page";
import { type Cluster, type KubeNode } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { clusterVnf, onOwnNetwork } from "../../support/configs";
import { onServer } from "../../support/guest";
import { expectRebuilt } from "../../support/lost-state";
import { labAddon, labWithClusterApi } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { objectsCnf } from "../../support/workload-cluster";

jest.setTimeout(40 * 60_000);

const CCM = "openstack-cloud-controller-manager";
const CSI = "openstack-cinder-csi";

interface Settings {
  readonly workers: number;
  readonly heal?: Readonly<Record<string, string>>;
  readonly rotate?: Readonly<Record<string, string>>;
}

interface KubeNodeOfCloud extends KubeNode {
  readonly spec: { readonly providerID?: string; readonly taints?: readonly { readonly key: string }[] };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Port {
  readonly fixed_ips: readonly { readonly ip_address: string }[];
  readonly security_groups: readonly string[];
}

let stack: TestStack;
let cluster: Cluster;
let addons: object;
let web: object;

beforeAll(async () => {
  await labWithClusterApi();
  await mustRun("lab/lab.sh", ["addons"]);
  stack = await TestStack.create("cloud-provider", {});
  addons = { [CCM]: await labAddon(CCM), [CSI]: await labAddon(CSI) };
  web = { ...objectsCnf(stack.folder, "web-package", "vnf-a", BALANCED_PAGE), readyTimeout: "15m" };
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

const vnfs = ({ workers, ...changes }: Settings) => ({
  "vnf-a": {
    ...clusterVnf(workers, {
      jump_host: { vnfc: "masterNode-1" },
      cloud_provider: "openstack",
      pod_network: "neutron",
      load_balancer: { provider: "ovn" },
      addons,
    }),
    ...onOwnNetwork("10.30.0.0/24"),
    ...changes,
  },
  web,
});

const vnfcs = async () => (await stack.vnf("vnf-a")).vnfcs;

const listed = async <T>(service: string, path: string, key: string): Promise<readonly T[]> =>
  (await stack.cloud.get<Record<string, T[]>>(service, path))[key] ?? [];

const credentials = () =>
  listed<Named & { readonly roles: readonly { readonly name: string }[] }>(
    "identity",
    `/users/${stack.cloud.userId}/application_credentials`,
    "application_credentials",
  );

const taintsOf = ({ spec }: KubeNodeOfCloud) => (spec.taints ?? []).map(({ key }) => key);

/** Expects that each Node has the server id of its VNFC as its provider ID, and accepts pods. */
const expectNodesOfServers = async () => {
  await until(120, "the cloud controller manager to know each node", async () =>
    (await cluster.list<KubeNodeOfCloud>("nodes")).every(
      (node) => !taintsOf(node).includes("node.cloudprovider.kubernetes.io/uninitialized"),
    ),
  );
  const nodes = await cluster.list<KubeNodeOfCloud>("nodes");
  const named = nodes.map(({ metadata, spec }) => [metadata.name, spec.providerID ?? ""]);
  const servers = Object.entries(await vnfcs()).map(([key, { serverId }]) => [
    `vnf-a-${key.toLowerCase()}`,
    `openstack:///${serverId}`,
  ]);
  expect(named.sort()).toEqual(servers.sort());
  expect(nodes.flatMap(taintsOf)).toEqual(["node-role.kubernetes.io/control-plane"]);
};

const nodeOfPod = async () => {
  const pods = await cluster.list<{ spec: { nodeName: string } }>("pods", "--selector=app=web");
  return pods.map(({ spec }) => spec.nodeName).join(" ");
};

/** Requests the page from the load balancer, from outside the cluster's network. */
const page = async () => {
  const [service] = await cluster.list<{
    status: { loadBalancer: { ingress?: { ip: string }[] } };
  }>("services", "--field-selector=metadata.name=web");
  const ip = service?.status.loadBalancer.ingress?.[0]?.ip ?? "";
  expect(ip).toMatch(/^198\.19\.0\.\d+$/);
  return mustRun("curl", ["--silent", "--show-error", "--max-time", "20", `http://${ip}/`]);
};

const expectPage = () =>
  until(120, "the page of the volume behind the balancer", async () =>
    (await page().catch(() => "")).includes("of a volume"),
  );

it("the cluster is made with its addons and a CNF that has a balancer and a volume, in one run", async () => {
  stack.configure(vnfs({ workers: 1 }));
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  await expectNodesOfServers();
  // those of the user's roles that the controllers need, and roles that Keystone adds by implication
  expect((await credentials()).map(({ roles }) => roles.map(({ name }) => name).sort())).toEqual([
    ["load-balancer_member", "member", "reader"],
  ]);
  expect(await listed("block-storage", "/volumes", "volumes")).toHaveLength(1);
});

it("the CNF answers from outside at the balancer's floating IP, with what was written to the volume", async () => {
  const write = "echo of a volume >/usr/share/nginx/html/index.html";
  await cluster.kubectl(["exec", "deployment/web", "--", "sh", "-c", write]);
  expect(await page()).toContain("of a volume");
});

it("the cluster has the worker's port let in what the Service lets in", async () => {
  const groups = await listed<Named>("network", stack.cloud.ofProject("security-groups"), "security_groups");
  const ofService = groups.filter(({ name }) => name.startsWith("lb-sg-")).map(({ id }) => id);
  expect(ofService).toHaveLength(1);
  const address = Object.values((await vnfcs())["workerNode-1"]?.addresses ?? {})[0];
  const ports = await listed<Port>("network", stack.cloud.ofProject("ports"), "ports");
  const port = ports.find(({ fixed_ips }) => fixed_ips.some(({ ip_address: ip }) => ip === address));
  expect(port?.security_groups).toEqual(expect.arrayContaining(ofService));
});

it("the stack has no changes, and nothing to mend", async () => {
  expect(await stack.changes()).toEqual([]);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
});

it("the cluster has a route to the pods of each node, and no overlay", async () => {
  const routers = await listed<{ readonly routes: readonly { readonly destination: string }[] }>(
    "network",
    stack.cloud.ofProject("routers"),
    "routers",
  );
  const destinations = routers.flatMap(({ routes }) => routes.map(({ destination }) => destination));
  const nodes = await cluster.list<{ readonly spec: { readonly podCIDR: string } }>("nodes");
  expect(destinations.sort()).toEqual(nodes.map(({ spec }) => spec.podCIDR).sort());
  expect(await onServer(stack, "workerNode-1", "ip -o link show type vxlan")).toBe("");
});

it("the lost state is made again, with the credential and the addons", async () => {
  await expectRebuilt(stack);
});

it("the cluster scales out: the new node names its server, and takes pods", async () => {
  stack.configure(vnfs({ workers: 2 }));
  await stack.mustUp();
  await expectNodesOfServers();
  expect(await stack.changes()).toEqual([]);
});

it("vnfm heals the worker that the pod is on: the volume follows the pod to the other one", async () => {
  expect(await nodeOfPod()).toBe("vnf-a-workernode-1");
  stack.configure(vnfs({ workers: 2, heal: { "workerNode-1": "1" } }));
  await stack.mustUp();
  await cluster.kubectl(["rollout", "status", "deployment/web", "--timeout=300s"]);
  expect(await nodeOfPod()).toBe("vnf-a-workernode-2");
  await expectPage();
  await expectNodesOfServers();
});

it("vnfm heals the sole master, whose Node names its new server then", async () => {
  stack.configure(vnfs({ workers: 2, heal: { "workerNode-1": "1", "masterNode-1": "1" } }));
  await stack.mustUp();
  await expectNodesOfServers();
  expect(await cluster.readyNodes()).toHaveLength(3);
  await expectPage();
  expect(await stack.changes()).toEqual([]);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
});

it("the cluster gets another credential by `vnfm rotate`: the former one goes, and the addons use the new one", async () => {
  const [before] = await credentials();
  expect((await stack.vnfm("rotate", "vnf-a", "credential", "--yes")).status).toBe(0);
  const after = await credentials();
  expect(after).toHaveLength(1);
  expect(after[0]?.id).not.toBe(before?.id);
  // the cloud controller manager adds another port of the Service
  const other = { name: "other", port: 8080, targetPort: 80 };
  const patch = [
    { op: "add", path: "/spec/ports/0/name", value: "http" },
    { op: "add", path: "/spec/ports/-", value: other },
  ];
  await cluster.kubectl(["patch", "service", "web", "--type=json", `--patch=${JSON.stringify(patch)}`]);
  await until(180, "a listener on port 8080", async () =>
    (await listed<{ protocol_port: number }>("load-balancer", "/v2/lbaas/listeners", "listeners")).some(
      ({ protocol_port: port }) => port === 8080,
    ),
  );
  await expectPage();
});

it("the deletion leaves nothing once all of it is taken out in one run", async () => {
  stack.configure({});
  await stack.mustUp();
  // Cinder may not have finished an accepted deletion
  await until(60, "an empty project", async () => (await stack.cloud.inventory()).length === 0);
  expect(await credentials()).toEqual([]);
});
