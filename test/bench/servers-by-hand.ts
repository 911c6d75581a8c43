import { clusterIngress } from "../../components/openstack/cluster-security-group";
import { renderUserData } from "../../components/openstack/user-data";
import type { ClusterPlan, PlannedPort, PlannedServer } from "../../components/plan/model";
import { until } from "../support/until";
import type { Cloud } from "./cloud";
import type { Host, Ssh } from "./ssh";

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Port {
  readonly port: { readonly id: string; readonly fixed_ips: readonly { readonly ip_address: string }[] };
}

/** What all servers need; each is asked for at once and known when it is known. */
export interface Shared {
  readonly keyName: Promise<string>;
  readonly groupId: Promise<string>;
  readonly images: Promise<readonly Named[]>;
  readonly flavors: Promise<readonly Named[]>;
  readonly networks: Promise<readonly Named[]>;
  /** Nothing needs them before the servers talk to each other. */
  readonly rules: Promise<unknown>;
}

export function makeShared(cloud: Cloud, ssh: Ssh, cluster: ClusterPlan): Shared {
  const { api } = cloud;
  const name = `by-hand-${process.pid}`;
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
    rules: groupId.then((id) => api.post("network", "/v2.0/security-group-rules", rules(cluster, id))),
    keyName: ssh.keyPair("login").then(async ({ publicKey }) => {
      const body = { keypair: { name, public_key: publicKey } };
      await cloud.create("compute", "/os-keypairs", body, () => name);
      return name;
    }),
    images: api.get<{ images: Named[] }>("image", "/v2/images").then(({ images }) => images),
    flavors: api.get<{ flavors: Named[] }>("compute", "/flavors").then(({ flavors }) => flavors),
    networks: api.get<{ networks: Named[] }>("network", "/v2.0/networks").then(({ networks }) => networks),
  };
}

function rules(cluster: ClusterPlan, groupId: string): object {
  return {
    security_group_rules: clusterIngress(cluster).map(({ protocol, ports, from }) => ({
      security_group_id: groupId,
      direction: "ingress",
      ethertype: "IPv4",
      protocol,
      port_range_min: ports?.[0],
      port_range_max: ports?.[1],
      ...(from === "members" ? { remote_group_id: groupId } : { remote_ip_prefix: from.cidr }),
    })),
  };
}

/** Makes a server with one port. @returns the host, once Nova calls it active */
export async function makeServer(
  cloud: Cloud,
  ssh: Ssh,
  shared: Shared,
  planned: PlannedServer,
  user: string,
): Promise<Host> {
  const [hostKey, { port }, images, flavors, keyName] = await Promise.all([
    ssh.keyPair(planned.key),
    makePort(cloud, shared, planned.ports[0]),
    shared.images,
    shared.flavors,
    shared.keyName,
  ]);
  if (!("name" in planned.flavor)) throw new Error("the package names its flavors");
  const userData = renderUserData({
    hostPrivateKey: hostKey.privateKey,
    hostPublicKey: hostKey.publicKey,
    bootData: planned.vdu.bootData,
  });
  const body = {
    server: {
      name: planned.name,
      imageRef: idOf(images, planned.image),
      flavorRef: idOf(flavors, planned.flavor.name),
      key_name: keyName,
      networks: [{ port: port.id }],
      user_data: Buffer.from(userData).toString("base64"),
    },
  };
  const { server } = await cloud.create<{ server: { id: string } }>(
    "compute",
    "/servers",
    body,
    (answer) => answer.server.id,
  );
  await until(300, `${planned.name} to be active`, () => isActive(cloud, server.id));
  return { address: port.fixed_ips[0]?.ip_address ?? "", user, hostKey: hostKey.publicKey };
}

async function makePort(cloud: Cloud, shared: Shared, planned: PlannedPort | undefined): Promise<Port> {
  const [networks, groupId] = await Promise.all([shared.networks, shared.groupId]);
  if (planned === undefined || !("external" in planned.link)) throw new Error("one external port is planned");
  const network_id = idOf(networks, planned.link.external.network);
  const body = { port: { network_id, security_groups: [groupId], admin_state_up: true } };
  return cloud.create<Port>("network", "/v2.0/ports", body, ({ port }) => port.id);
}

async function isActive(cloud: Cloud, id: string): Promise<boolean> {
  const { server } = await cloud.api.get<{ server: { status: string } }>("compute", `/servers/${id}`);
  if (server.status === "ERROR") throw new Error(`server ${id} is in status ERROR`);
  return server.status === "ACTIVE";
}

function idOf(all: readonly Named[], name: string): string {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the cloud has no ${name}`);
  return found.id;
}
