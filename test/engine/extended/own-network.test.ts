/**
 * A cluster whose nodes have two connection points: SSH and the API on an external network, and the traffic between
 * nodes on an internal virtual link of the VNFD. Its VDUs require cpu, memory and disk, and name no flavor.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { Cluster } from "../../support/cluster";
import { changedClusterPackage } from "../../support/cluster-package";
import { clusterVnf } from "../../support/configs";
import { missingInCloud } from "../../support/cut-off";
import { guestPath } from "../../support/lab";
import { expectPodsToReachEachOther } from "../../support/pod-network";
import { TestStack } from "../../support/stack";

jest.setTimeout(15 * 60 * 1000);

interface Template {
  type: string;
  properties: Record<string, unknown>;
  capabilities?: { virtual_compute: { properties: Record<string, unknown> } };
  requirements?: Record<string, string>[];
}

interface Vnfd {
  readonly topology_template: { readonly node_templates: Record<string, Template> };
}

/** Boot data: a MIME archive with a script that runs early at each boot. */
const BOOT_HOOK = `Content-Type: multipart/mixed; boundary="parts"
MIME-Version: 1.0

--parts
Content-Type: text/cloud-boothook

#cloud-boothook
#!/bin/sh
printf 'other data' > /etc/booted-with
--parts--
`;

/** Adds a connection point, on an internal virtual link, to each VDU. */
function withNetwork(definition: string): string {
  const vnfd = parse(definition) as Vnfd;
  const templates = vnfd.topology_template.node_templates;
  templates["nodes"] = {
    type: "tosca.nodes.nfv.VnfVirtualLink",
    properties: {
      connectivity_type: { layer_protocols: ["ipv4"] },
      vl_profile: {
        max_bitrate_requirements: { root: 1048576 },
        min_bitrate_requirements: { root: 1048576 },
        virtual_link_protocol_data: [
          {
            associated_layer_protocol: "ipv4",
            l2_protocol_data: { mtu: 1400 },
            l3_protocol_data: {
              ip_version: "ipv4",
              cidr: "10.20.0.0/24",
              dhcp_enabled: true,
              ip_allocation_pools: [{ start_ip_address: "10.20.0.100", end_ip_address: "10.20.0.199" }],
            },
          },
        ],
      },
    },
  };
  for (const vdu of ["masterNode", "workerNode"]) {
    templates[`${vdu}_inside`] = {
      type: "tosca.nodes.nfv.VduCp",
      properties: { layer_protocols: ["ipv4"], order: 1 },
      requirements: [{ virtual_binding: vdu }, { virtual_link: "nodes" }],
    };
    delete templates[vdu]?.capabilities?.virtual_compute.properties["requested_additional_capabilities"];
  }
  return stringify(vnfd);
}

let stack: TestStack;
let cluster: Cluster;

const vnf = (changes: object = {}) => ({
  ...clusterVnf(2, {
    master_node: {
      ssh_cp_name: "masterNode_CP1",
      nic_cp_name: "masterNode_inside",
      cluster_cp_name: "masterNode_CP1",
      pod_cidr: "10.244.0.0/16",
      cluster_cidr: "10.96.0.0/12",
    },
    worker_node: {
      ssh_cp_name: "workerNode_CP2",
      nic_cp_name: "workerNode_inside",
      aspect_id: "worker_instance",
    },
  }),
  package: "package",
  ...changes,
});

const outputs = () => stack.vnf("vnf-a");

beforeAll(async () => {
  stack = await TestStack.create("own-network", { "vnf-a": vnf() });
  changedClusterPackage(join(stack.folder, "package"), "simple", withNetwork);
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

it("the preview asks for a flavor by name where none has the size, before any server is made", async () => {
  const file = join(stack.folder, "package/Definitions/kubernetes_cluster_df_simple.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("virtual_mem_size: 2 GiB", "virtual_mem_size: 3 GB"));
  const { status, stdout } = await stack.pulumi("preview", "--stack", stack.name);
  writeFileSync(file, text);
  expect(status).not.toBe(0);
  expect(stdout).toContain(
    "vnfm:vnfs.vnf-a.flavors.workerNode: the VNFD does not name a flavor, and none has 1 vCPUs, 3072 MiB of memory and 20 GiB of disk",
  );
});

it("the cluster is made on a network of its own, of flavors of the size that the VNFD asks for", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  const { apiUrl, vnfcs } = await outputs();
  expect(apiUrl).toBe(`https://${vnfcs["masterNode-1"]?.addresses["masterNode_CP1"]}:6443`);
  const get = <T>(path: string) => stack.cloud.get<T>("compute", path);
  const { flavors } = await get<{ flavors: { id: string; name: string }[] }>("/flavors");
  const asked = Object.values(vnfcs).map(async ({ serverId }) => {
    const { server } = await get<{ server: { flavor: { id: string } } }>(`/servers/${serverId}`);
    return flavors.find(({ id }) => id === server.flavor.id)?.name;
  });
  expect((await Promise.all(asked)).sort()).toEqual(["m1.medium", "m1.small", "m1.small"]);
  expect(await stack.changes()).toEqual([]);
  expect(await missingInCloud(stack)).toEqual([]);
});

it("the cluster has its nodes known by their addresses there, and the packets between its pods go that way", async () => {
  const { vnfcs } = await outputs();
  const inside = ["masterNode-1", "workerNode-1", "workerNode-2"].map((key) => {
    const vdu = key.slice(0, -2);
    return vnfcs[key]?.addresses[`${vdu}_inside`];
  });
  expect(inside.every((address) => /^10\.20\.0\.1\d\d$/.test(address ?? ""))).toBe(true);
  const nodes = await cluster.list<{
    metadata: { annotations: Record<string, string> };
    status: { addresses: { type: string; address: string }[] };
  }>("nodes");
  const internal = nodes.map(
    ({ status }) => status.addresses.find(({ type }) => type === "InternalIP")?.address,
  );
  expect(internal).toEqual(inside);
  const tunnels = nodes.map(({ metadata }) => metadata.annotations["flannel.alpha.coreos.com/public-ip"]);
  expect(tunnels).toEqual(inside);
  await expectPodsToReachEachOther(cluster, ["vnf-a-workernode-1", "vnf-a-workernode-2"]);
});

it("vnfm touches no node that runs where the VNFD has other boot data by now", async () => {
  const file = join(stack.folder, "package/Definitions/kubernetes_cluster_df_simple.yaml");
  const vnfd = parse(readFileSync(file, "utf8")) as Vnfd;
  const { properties = {} } = vnfd.topology_template.node_templates["workerNode"] ?? {};
  properties["boot_data"] = BOOT_HOOK;
  writeFileSync(file, stringify(vnfd));
  expect(await stack.changes()).toEqual([]);
});

it("vnfm gives a node that is healed its addresses on both networks again, and the boot data of now", async () => {
  const old = (await outputs()).vnfcs["workerNode-2"];
  stack.configure({ "vnf-a": vnf({ heal: { "workerNode-2": "1" } }) });
  await stack.mustUp();
  const healed = (await outputs()).vnfcs["workerNode-2"];
  expect(healed?.serverId).not.toBe(old?.serverId);
  expect(healed?.addresses).toEqual(old?.addresses);
  const file = guestPath(healed?.serverId ?? "", "etc/booted-with");
  expect(readFileSync(file, "utf8")).toBe("other data");
  await expectPodsToReachEachOther(cluster, ["vnf-a-workernode-1", "vnf-a-workernode-2"]);
});

it("the cluster takes its network with it", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
