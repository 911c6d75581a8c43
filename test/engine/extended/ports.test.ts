/**
 * Settings of servers without a cluster, and of their ports: each takes effect in Nova, Cinder or Neutron, is changed
 * in place if possible, and never replaces a running server.
 */
import { OpenStack } from "../../support/openstack";
import { writeServersPackage } from "../../support/servers-package";
import type { Vnfc } from "../../support/outputs";
import { TestStack } from "../../support/stack";

jest.setTimeout(10 * 60 * 1000);

interface Port {
  readonly fixed_ips: readonly { readonly ip_address: string }[];
  readonly allowed_address_pairs: readonly { readonly ip_address: string; readonly mac_address: string }[];
  readonly security_groups: readonly string[];
  readonly port_security_enabled: boolean;
  readonly qos_policy_id: string | null;
  readonly tags: readonly string[];
}

interface Made {
  readonly id: string;
}

const MAC = "00:00:5e:00:01:33";
const GROUP = "ports-of-gateways";
/** Availability zones that the cloud uses only if they are requested. */
const [ZONE, VOLUME_ZONE] = ["zone-cpu2", "zone-cpu3"];
const POLICY = `ports-${process.pid}`;

let stack: TestStack;
let admin: OpenStack;
let qosPolicy: string;
let securityGroup: string;
let serverGroup: string;
/** Servers after the first run. */
let first: readonly Vnfc[];

/** Returns the config of the instance, with changed settings of servers and ports. */
function vnf({ server = {}, port = {} }: { server?: object; port?: object } = {}): object {
  return {
    "vnf-a": {
      package: "package",
      protectVolumes: false,
      virtualLinks: {
        nodes: {
          // no port that Neutron gives an address by itself gets one of the fixed addresses below
          subnets: [
            { cidr: "10.40.0.0/24", ipAllocationPools: [{ start: "10.40.0.100", end: "10.40.0.199" }] },
            { cidr: "fd00:40::/64" },
          ],
        },
      },
      servers: {
        node: {
          availabilityZones: [ZONE],
          volumeAvailabilityZones: [VOLUME_ZONE],
          configDrive: true,
          metadata: { role: "gateway" },
          tags: ["blue"],
          schedulerHints: { group: serverGroup },
          ...server,
        },
      },
      extVirtualLinks: {
        node_CP: {
          virtualLink: "nodes",
          fixedAddresses: ["10.40.0.11", "10.40.0.12", "fd00:40::11", "fd00:40::12"],
          allowedAddressPairs: [{ ipAddress: "10.244.0.0/16", macAddress: MAC }],
          securityGroups: [GROUP],
          qosPolicy: POLICY,
          tags: ["green"],
          ...port,
        },
      },
    },
  };
}

/** Returns both VNFCs, in the order of their numbers. */
async function vnfcs(): Promise<Vnfc[]> {
  const { "node-1": one, "node-2": other } = (await stack.vnf("vnf-a")).vnfcs;
  if (one === undefined || other === undefined) throw new Error("there are no two servers");
  return [one, other];
}

const serverIds = (of: readonly Vnfc[]) => of.map(({ serverId }) => serverId);

async function serverOf({ serverId }: Vnfc) {
  const { server } = await stack.cloud.get<{
    server: {
      readonly config_drive: string;
      readonly metadata: Readonly<Record<string, string>>;
      readonly "OS-EXT-AZ:availability_zone": string;
    };
  }>("compute", `/servers/${serverId}`);
  return server;
}

async function portOf({ serverId }: Vnfc): Promise<Port> {
  const path = `/v2.0/ports?device_id=${serverId}`;
  const [port, ...others] = (await stack.cloud.get<{ ports: Port[] }>("network", path)).ports;
  if (port === undefined || others.length > 0) throw new Error(`${serverId} has not one port`);
  return port;
}

beforeAll(async () => {
  admin = await OpenStack.connect("lab-admin");
  const policy = { policy: { name: POLICY, shared: true } };
  qosPolicy = (await admin.post<{ policy: Made }>("network", "/v2.0/qos/policies", policy)).policy.id;
  stack = await TestStack.create("ports", {});
  const storages = { data: { virtual_block_storage_data: { size_of_storage: "1 GB" } } };
  writeServersPackage(stack.folder, { node: { count: 2, storages: ["data"] } }, storages);
  const { cloud } = stack;
  const group = { security_group: { name: GROUP } };
  const answer = await cloud.post<{ security_group: Made }>("network", "/v2.0/security-groups", group);
  securityGroup = answer.security_group.id;
  const together = { server_group: { name: GROUP, policies: ["affinity"] } };
  serverGroup = (await cloud.post<{ server_group: Made }>("compute", "/os-server-groups", together))
    .server_group.id;
  stack.configure(vnf());
});

afterAll(async () => {
  if (securityGroup !== undefined && serverGroup !== undefined) {
    stack.configure({});
    await stack.mustUp();
    await stack.cloud.delete("network", `/v2.0/security-groups/${securityGroup}`);
    await stack.cloud.delete("compute", `/os-server-groups/${serverGroup}`);
  }
  await stack?.remove();
  if (qosPolicy !== undefined) await admin.delete("network", `/v2.0/qos/policies/${qosPolicy}`);
});

it("vnfm refuses fixed addresses that are too few and outside of the subnet, in the preview", async () => {
  stack.configure(vnf({ port: { fixedAddresses: ["10.41.0.11"] } }));
  const { status, stdout, stderr } = await stack.pulumi("preview", "--stack", stack.name);
  expect(status).not.toBe(0);
  const at = "vnf-a.extVirtualLinks.node_CP.fixedAddresses";
  expect(stdout + stderr).toContain(`${at}: VDU node has 2 servers, but 1 IPv4 addresses are set`);
  expect(stdout + stderr).toContain(`${at}[0]: 10.41.0.11 is in no subnet of the virtual link nodes`);
});

it("vnfm makes servers with their zone, config drive, metadata, tags and server group", async () => {
  stack.configure(vnf());
  await stack.mustUp();
  first = await vnfcs();
  for (const vnfc of first) {
    expect(await serverOf(vnfc)).toMatchObject({
      config_drive: "True",
      metadata: { role: "gateway" },
      "OS-EXT-AZ:availability_zone": ZONE,
    });
    expect(await stack.cloud.serverTags(vnfc.serverId)).toEqual(["blue"]);
  }
  const { server_group } = await stack.cloud.get<{ server_group: { members: string[] } }>(
    "compute",
    `/os-server-groups/${serverGroup}`,
  );
  expect([...server_group.members].sort()).toEqual(serverIds(first).sort());
});

it("vnfm makes their volumes in the zone of Cinder", async () => {
  const zones = first.map(async ({ volumes }) => {
    const path = `/volumes/${volumes?.["data"]}`;
    const { volume } = await stack.cloud.get<{ volume: { availability_zone: string } }>(
      "block-storage",
      path,
    );
    return volume.availability_zone;
  });
  expect(await Promise.all(zones)).toEqual([VOLUME_ZONE, VOLUME_ZONE]);
});

it("vnfm makes ports with their addresses, pairs, group, QoS policy and tags, and then finds nothing to change", async () => {
  const ports = await Promise.all(first.map(portOf));
  expect(
    ports.map(({ fixed_ips, ...port }) => ({
      ...port,
      fixed_ips: fixed_ips.map(({ ip_address }) => ip_address).sort(),
    })),
  ).toMatchObject(
    ["11", "12"].map((end) => ({
      fixed_ips: [`10.40.0.${end}`, `fd00:40::${end}`],
      allowed_address_pairs: [{ ip_address: "10.244.0.0/16", mac_address: MAC }],
      security_groups: [securityGroup],
      port_security_enabled: true,
      qos_policy_id: qosPolicy,
      tags: ["green"],
    })),
  );
  expect(first.map(({ addresses }) => addresses["node_CP"])).toEqual(["10.40.0.11", "10.40.0.12"]);
  expect(await stack.changes()).toEqual([]);
});

it("vnfm leaves alone what runs where Nova, Neutron or Cinder cannot change it in place", async () => {
  const server = {
    availabilityZones: ["elsewhere"],
    volumeAvailabilityZones: ["elsewhere"],
    configDrive: false,
    schedulerHints: {},
  };
  stack.configure(
    vnf({ server, port: { fixedAddresses: ["10.40.0.21", "10.40.0.22"], vnicType: "direct" } }),
  );
  expect(await stack.changes()).toEqual([]);
});

it("vnfm changes the others in place", async () => {
  const server = { metadata: { role: "edge", site: "one" }, tags: ["red"] };
  const port = { allowedAddressPairs: [{ ipAddress: "10.245.0.0/16" }], tags: ["red"] };
  stack.configure(vnf({ server, port }));
  await stack.mustUp();
  const [one] = await vnfcs();
  expect(serverIds(await vnfcs())).toEqual(serverIds(first));
  if (one === undefined) throw new Error("there is no server");
  expect((await serverOf(one)).metadata).toEqual({ role: "edge", site: "one" });
  expect(await stack.cloud.serverTags(one.serverId)).toEqual(["red"]);
  const { tags, allowed_address_pairs } = await portOf(one);
  expect([tags, allowed_address_pairs.map(({ ip_address }) => ip_address)]).toEqual([
    ["red"],
    ["10.245.0.0/16"],
  ]);
  expect(await stack.changes()).toEqual([]);
});

it("vnfm takes port security away in place, and gives it back", async () => {
  const filters = async () => {
    const ports = await Promise.all((await vnfcs()).map(portOf));
    return ports.map(({ port_security_enabled, security_groups, allowed_address_pairs }) => [
      port_security_enabled,
      security_groups,
      allowed_address_pairs.length,
    ]);
  };
  const none = { securityGroups: undefined, allowedAddressPairs: undefined };
  stack.configure(vnf({ port: { ...none, portSecurity: false } }));
  await stack.mustUp();
  expect(await filters()).toEqual(Array(2).fill([false, [], 0]));
  expect(await stack.changes()).toEqual([]);
  stack.configure(vnf({ port: { portSecurity: true } }));
  await stack.mustUp();
  expect(await filters()).toEqual(Array(2).fill([true, [securityGroup], 1]));
  expect(serverIds(await vnfcs())).toEqual(serverIds(first));
  expect(await stack.changes()).toEqual([]);
});
