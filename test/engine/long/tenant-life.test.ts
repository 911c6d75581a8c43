/**
 * The life of a kubeadm cluster with three control-plane nodes, two workers, a storage server and a CNF. It is on a
 * tenant network behind a router, with a control-plane node as jump host, zones, fixed addresses and root volumes of
 * the workers. After every step the declared nodes exist, the volume keeps its data, `check` finds nothing, and the CNF
 * has answered at the floating IP of the API. The steps build on each other.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { bindClaim } from "../../support/claim";
import { changedClusterPackage } from "../../support/cluster-package";
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { haStorageVnf, webCnf } from "../../support/configs";
import { declaredEverywhere } from "../../support/declared";
import { onServer } from "../../support/guest";
import { probeDuring } from "../../support/probe";
import { TestStack } from "../../support/stack";
import { exportedPaths, STORAGE, storageServer } from "../../support/storage-server";
import { FROM, IMAGE_OF_FROM, IMAGE_OF_TO, kubelets, TO } from "../../support/versions";
import { spreadWeb, webTarget } from "../../support/web-cnf";

jest.setTimeout(40 * 60 * 1000);

/** Limit of the CNF's outage at the floating IP, in seconds. */
const MOST_OUTAGE = 20;
const NODES = "10.40.0.0/24";
/** Chosen address of the API on the nodes' network. */
const VIP_ADDRESS = "10.40.0.20";
/** Zones of the control-plane nodes and of the workers, in turn. */
const MASTER_ZONES = ["zone-cpu3", "nova", "zone-cpu2"];
const WORKER_ZONES = ["zone-cpu2", "zone-cpu3"];
const WORKER_ADDRESSES = ["10.40.0.21", "10.40.0.22", "10.40.0.23", "10.40.0.24"];

interface Definition {
  readonly topology_template: {
    readonly node_templates: Record<
      string,
      { readonly properties: Record<string, unknown>; readonly requirements?: object[] }
    >;
  };
}

let stack: TestStack;
let cluster: Cluster;
const folder = mkdtempSync(join(tmpdir(), "vnfm-tenant-life-"));

/** Copies the package, with workers that boot from a volume with this image. */
function rootedPackage(name: string, image: string): string {
  const location = join(folder, name);
  changedClusterPackage(location, "ha-storage", (text) => {
    const definition = parse(text.replaceAll(IMAGE_OF_FROM, image)) as Definition;
    const nodes = definition.topology_template.node_templates;
    const worker = nodes["workerNode"];
    if (worker === undefined) throw new Error("the package has no workerNode");
    const { sw_image_data: its, ...properties } = worker.properties;
    nodes["workerNode"] = { ...worker, properties, requirements: [{ virtual_storage: "root" }] };
    nodes["root"] = {
      ...{ type: "tosca.nodes.nfv.Vdu.VirtualBlockStorage" },
      properties: {
        virtual_block_storage_data: { size_of_storage: "10 GiB" },
        sw_image_data: { ...(its as object), min_disk: "10 GiB" },
      },
    };
    return stringify(definition);
  });
  return location;
}

function vnfs(): object {
  const its = haStorageVnf(3, 2, {
    kubernetes_version: FROM,
    jump_host: { vnfc: "masterNode-1" },
  }) as { additionalParams: { k8s_cluster_installation_param: object } };
  const params = its.additionalParams.k8s_cluster_installation_param as {
    storage_server: { nfs_server_setup_params: { export_to: string }[] };
  };
  for (const one of params.storage_server.nfs_server_setup_params) one.export_to = NODES;
  const onNodes = { virtualLink: "nodes" };
  return {
    "vnf-a": {
      ...its,
      package: rootedPackage("package", IMAGE_OF_FROM),
      virtualLinks: {
        nodes: {
          subnets: [{ cidr: NODES, ipAllocationPools: [{ start: "10.40.0.100", end: "10.40.0.199" }] }],
          dnsNameservers: ["198.19.0.1"],
          router: { externalNetwork: "public" },
        },
      },
      servers: {
        masterNode: { availabilityZones: MASTER_ZONES },
        workerNode: { availabilityZones: WORKER_ZONES },
      },
      extVirtualLinks: {
        masterNode_CP1: { ...onNodes, floatingNetwork: "public" },
        workerNode_CP2: { ...onNodes, fixedAddresses: WORKER_ADDRESSES },
        vip_CP: { ...onNodes, fixedAddresses: [VIP_ADDRESS], floatingNetwork: "public" },
        storage_server_CP: onNodes,
      },
    },
    web: webCnf("web"),
  };
}

beforeAll(async () => {
  stack = await TestStack.create("tenant-life", {});
  stack.configure(vnfs());
  await mustRun("lab/lab.sh", ["image", TO]);
});

afterAll(async () => {
  cluster?.close();
  rmSync(folder, { recursive: true, force: true });
  await stack?.pulumi("state", "unprotect", "--all", "--yes", "--stack", stack.name);
  await stack?.remove();
});

const vnfcs = async () => (await stack.vnf("vnf-a")).vnfcs;
const serverIds = async (): Promise<Record<string, string>> =>
  Object.fromEntries(Object.entries(await vnfcs()).map(([key, { serverId }]) => [key, serverId]));

/** Returns the addresses of the virtual IP's port. */
async function virtualIps(): Promise<string[]> {
  const { ports } = await stack.cloud.get<{
    ports: readonly {
      readonly name: string;
      readonly fixed_ips: readonly { readonly ip_address: string }[];
    }[];
  }>("network", stack.cloud.ofProject("ports"));
  return ports
    .filter(({ name }) => name.startsWith("vnf-a-vip_CP"))
    .flatMap(({ fixed_ips: ips }) => ips.map((one) => one.ip_address));
}

/** Expects the declared nodes in each place that lists them. */
async function expectDeclared(workers: number): Promise<void> {
  expect(await virtualIps()).toEqual([VIP_ADDRESS]);
  const nodes = Object.fromEntries(Object.entries(await vnfcs()).filter(([key]) => key !== STORAGE));
  const named = (vdu: string, count: number) =>
    Array.from({ length: count }, (_, i) => `vnf-a-${vdu}-${i + 1}`);
  const masters = named("masternode", 3);
  const names = [...masters, ...named("workernode", workers)];
  expect(await declaredEverywhere(cluster, nodes)).toEqual({
    ...{ nodes: names, etcd: masters, haproxy: masters },
  });
  const ofWorkers = Object.entries(nodes).filter(([key]) => key.startsWith("workerNode"));
  expect(ofWorkers.map(([, { addresses }]) => addresses["workerNode_CP2"])).toEqual(
    WORKER_ADDRESSES.slice(0, workers),
  );
  expect(exportedPaths(await storageServer(stack))).toEqual([1, 2, 3].map((i) => `/volume/nfs/pv${i}`));
  expect(await onServer(stack, STORAGE, "cat /volume/nfs/pv1/file")).toBe("kept\n");
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
}

/** Runs a command of `vnfm`, and expects that the CNF answers from outside during it. */
async function operate(...args: string[]): Promise<void> {
  const targets = { web: await webTarget(stack, "web") };
  const [{ status, stderr }, probed] = await probeDuring(targets, () => stack.vnfm(...args, "--yes"));
  const { failed, longestOutageSeconds } = probed.web;
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  process.stderr.write(
    `${args.join(" ")}: ${failed} requests failed, ${longestOutageSeconds.toFixed(1)} s between two answers\n`,
  );
  expect(longestOutageSeconds).toBeLessThanOrEqual(MOST_OUTAGE);
}

it("the cluster is instantiated in its zones, with a CNF, a claim and a file on its volume; its workers boot from volumes", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  await bindClaim(cluster);
  await onServer(stack, STORAGE, "echo kept >/volume/nfs/pv1/file");
  const { servers } = await stack.cloud.get<{
    servers: { name: string; image: unknown; "OS-EXT-AZ:availability_zone": string }[];
  }>("compute", "/servers/detail");
  const rooted = servers.filter(({ image }) => image === "").map(({ name }) => name);
  expect(rooted.sort()).toEqual(["vnf-a-workernode-1", "vnf-a-workernode-2"]);
  const zones = servers.map((server) => [server.name, server["OS-EXT-AZ:availability_zone"]]);
  const zonesOf = (vdu: string, all: readonly string[]) =>
    all.map((zone, i) => [`vnf-a-${vdu}-${i + 1}`, zone]);
  expect(zones.filter(([name]) => !name?.includes("storage")).sort()).toEqual([
    ...zonesOf("masternode", MASTER_ZONES),
    ...zonesOf("workernode", WORKER_ZONES),
  ]);
  await expectDeclared(2);
});

it.each([
  ["worker_instance=2", 3],
  ["worker_instance=1", 2],
] as const)("the cluster is scaled by %s", async (level, workers) => {
  await operate("scale", "vnf-a", level);
  await expectDeclared(workers);
});

it.each([
  ["alive, the jump host among them", ["masterNode-1", "workerNode-2", STORAGE]],
  ["dead", ["masterNode-2", "workerNode-1", STORAGE]],
])("the cluster has each kind of node healed, %s", async (state, healed) => {
  await spreadWeb(cluster);
  const old = await serverIds();
  if (state === "dead")
    await Promise.all(healed.map((key) => stack.cloud.delete("compute", `/servers/${old[key]}`)));
  await operate("heal", "vnf-a", ...healed);
  const now = await serverIds();
  expect(Object.keys(now).filter((key) => now[key] !== old[key])).toEqual([...healed].sort());
  await expectDeclared(2);
});

it("the cluster is upgraded to a package of the next minor version of Kubernetes", async () => {
  await operate(
    "upgrade",
    "vnf-a",
    "--to",
    TO,
    "--package",
    rootedPackage("next", IMAGE_OF_TO),
    "--surge",
    "1",
  );
  await expectDeclared(2);
  expect(Object.values(await kubelets(cluster))).toEqual(Array(5).fill(TO));
});

it("the cluster is terminated once its volumes may go, and leaves nothing in OpenStack", async () => {
  await stack.must(
    "config",
    "set",
    "--path",
    "vnfm:vnfs.vnf-a.protectVolumes",
    "false",
    "--stack",
    stack.name,
  );
  await stack.mustUp();
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
