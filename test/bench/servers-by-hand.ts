import { clusterIngress } from "../../components/plan/kubeadm/ingress";
import { renderUserData } from "../../components/render/user-data";
import type { ClusterPlan } from "../../components/plan/kubeadm/model";
import type { KubeadmPlan } from "../../components/plan/model";
import type { PlannedPlacementGroup, PlannedPort, PlannedServer } from "../../components/plan/servers/model";
import { until } from "../support/until";
import type { Cloud } from "./cloud";
import type { Host, KeyPair, Ssh } from "./ssh";

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Port {
  readonly port: { readonly id: string; readonly fixed_ips: readonly { readonly ip_address: string }[] };
}

/** Resources that servers share. All are requested at the start; a step waits only for those that it needs. */
export interface Shared {
  readonly loginKey: Promise<string>;
  readonly groupId: Promise<string>;
  readonly images: Promise<readonly Named[]>;
  readonly flavors: Promise<readonly Named[]>;
  readonly networks: Promise<readonly Named[]>;
  readonly placementGroups: readonly (PlannedPlacementGroup & { readonly serverGroupId: Promise<string> })[];
  readonly virtualIps: readonly {
    readonly connectionPoint: string;
    readonly targets: readonly string[];
    readonly address: Promise<string>;
  }[];
  /** Rules of the security group. Servers are created without waiting for them. */
  readonly rules: Promise<unknown>;
}

/** Parts of a VNFC that stay when its server is replaced. */
export interface Place {
  readonly planned: PlannedServer;
  readonly portId: string;
  readonly address: string;
  readonly hostKey: KeyPair;
}

export interface Server extends Host {
  readonly id: string;
  /** Nova's availability zone. */
  readonly zone: string;
}

interface NovaServer {
  readonly status: string;
  readonly "OS-EXT-AZ:availability_zone": string;
}

export function makeShared(cloud: Cloud, ssh: Ssh, vnf: KubeadmPlan, cluster: ClusterPlan): Shared {
  const { api } = cloud;
  const name = `by-hand-${process.pid}`;
  const networks = api
    .get<{ networks: Named[] }>("network", "/v2.0/networks")
    .then((answer) => answer.networks);
  const groupId = cloud
    .create<{ security_group: Named }>(
      "network",
      "/v2.0/security-groups",
      { security_group: { name } },
      ({ security_group }) => security_group.id,
    )
    .then(({ security_group }) => security_group.id);
  return {
    groupId,
    networks,
    rules: groupId.then((id) => api.post("network", "/v2.0/security-group-rules", rules(cluster, id))),
    loginKey: ssh.keyPair("login").then(({ publicKey }) => publicKey),
    images: api.get<{ images: Named[] }>("image", "/v2/images").then(({ images }) => images),
    flavors: api.get<{ flavors: Named[] }>("compute", "/flavors").then(({ flavors }) => flavors),
    placementGroups: vnf.placementGroups.map((group) => ({
      ...group,
      serverGroupId: makePlacementGroup(cloud, `${name}-${group.id}`, group),
    })),
    virtualIps: vnf.virtualIps.map(({ connectionPoint, link, targets }) => ({
      connectionPoint,
      targets,
      address: networks.then((all) => makePort(cloud, all, link, {})).then(addressOf),
    })),
  };
}

async function makePlacementGroup(
  cloud: Cloud,
  name: string,
  { policy }: PlannedPlacementGroup,
): Promise<string> {
  const { server_group } = await cloud.create<{ server_group: Named }>(
    "compute",
    "/os-server-groups",
    { server_group: { name, policies: [policy] } },
    (answer) => answer.server_group.id,
  );
  return server_group.id;
}

function rules(cluster: ClusterPlan, groupId: string): object {
  const { members, masters } = clusterIngress(cluster);
  return {
    // as many rules as vnfm creates, in one group
    security_group_rules: [...members, ...masters].map(({ protocol, ports, from }) => ({
      security_group_id: groupId,
      direction: "ingress",
      ethertype: "IPv4",
      protocol,
      port_range_min: ports?.[0],
      port_range_max: ports?.[1],
      ...(typeof from === "string" ? { remote_group_id: groupId } : { remote_ip_prefix: from.cidr }),
    })),
  };
}

/** Creates the port and the host key of a VNFC. */
export async function makePlace(
  cloud: Cloud,
  ssh: Ssh,
  shared: Shared,
  planned: PlannedServer,
): Promise<Place> {
  const [port] = planned.ports;
  if (port === undefined || planned.ports.length > 1) throw new Error("one port is planned");
  const virtualIps = shared.virtualIps.filter(({ targets }) => targets.includes(port.connectionPoint));
  const [hostKey, networks, groupId, addresses] = await Promise.all([
    ssh.keyPair(planned.key),
    shared.networks,
    shared.groupId,
    Promise.all(virtualIps.map(({ address }) => address)),
  ]);
  const made = await makePort(cloud, networks, port.link, {
    security_groups: [groupId],
    allowed_address_pairs: addresses.map((ip_address) => ({ ip_address })),
  });
  return { planned, portId: made.port.id, address: addressOf(made), hostKey };
}

/** Creates the server of a VNFC, and waits until Nova reports it as active. */
export async function makeServer(
  cloud: Cloud,
  shared: Shared,
  { vdu }: PlannedServer,
  place: Promise<Place>,
  user: string,
): Promise<Server> {
  const group = shared.placementGroups.find(({ vdus }) => vdus.includes(vdu.id))?.serverGroupId;
  const [{ planned, portId, address, hostKey }, images, flavors, loginKey, groupId] = await Promise.all([
    place,
    shared.images,
    shared.flavors,
    shared.loginKey,
    group,
  ]);
  if (!("name" in planned.flavor)) throw new Error("the package names its flavors");
  const userData = renderUserData({
    hostPrivateKey: hostKey.privateKey,
    hostPublicKey: hostKey.publicKey,
    loginKey,
    bootData: planned.vdu.bootData,
  });
  const body = {
    server: {
      name: planned.name,
      imageRef: idOf(images, planned.image),
      flavorRef: idOf(flavors, planned.flavor.name),
      networks: [{ port: portId }],
      user_data: Buffer.from(userData).toString("base64"),
    },
    ...(groupId === undefined ? {} : { "os:scheduler_hints": { group: groupId } }),
  };
  const { server } = await cloud.create<{ server: { id: string } }>(
    "compute",
    "/servers",
    body,
    (answer) => answer.server.id,
  );
  let zone = "";
  await until(300, `${planned.name} to be active`, async () => {
    const now = await readServer(cloud, server.id);
    zone = now["OS-EXT-AZ:availability_zone"];
    return now.status === "ACTIVE";
  });
  return { id: server.id, zone, address, user, hostKey: hostKey.publicKey };
}

async function makePort(
  cloud: Cloud,
  networks: readonly Named[],
  link: PlannedPort["link"],
  more: object,
): Promise<Port> {
  if (link.kind !== "external") throw new Error("ports on external networks are planned");
  const network_id = idOf(networks, link.network);
  const body = { port: { network_id, admin_state_up: true, ...more } };
  return cloud.create<Port>("network", "/v2.0/ports", body, ({ port }) => port.id);
}

function addressOf({ port }: Port): string {
  return port.fixed_ips[0]?.ip_address ?? "";
}

/** Reads a server from Nova. @throws Error if its status is ERROR */
async function readServer(cloud: Cloud, id: string): Promise<NovaServer> {
  const { server } = await cloud.api.get<{ server: NovaServer }>("compute", `/servers/${id}`);
  if (server.status === "ERROR") throw new Error(`server ${id} is in status ERROR`);
  return server;
}

function idOf(all: readonly Named[], name: string): string {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the cloud has no ${name}`);
  return found.id;
}
