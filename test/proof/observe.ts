import type { CloudKind } from "../../automation/changes/kinds";
import type { Subject } from "../../automation/changes/subject";
import type { OpenStack } from "../support/openstack";
import { modelOf, textOf, type Model, type Seen } from "./model";

/** VDUs of each VNF instance. The names of an instance's resources begin with both. */
export type Names = Readonly<Record<string, readonly string[]>>;

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Server extends Named {
  readonly status: string;
  readonly flavor: { readonly id: string };
  readonly image: { readonly id: string } | "";
  readonly metadata: object;
  readonly config_drive: string;
}

interface Volume extends Named {
  readonly size: number;
  readonly volume_type: string;
  readonly availability_zone: string;
  readonly attachments: readonly { readonly server_id: string }[];
}

interface Port extends Named {
  readonly network_id: string;
  readonly device_id: string;
  readonly device_owner: string;
  readonly admin_state_up: boolean;
  readonly port_security_enabled: boolean;
  readonly qos_policy_id: string | null;
  readonly security_groups: readonly string[];
  readonly tags: readonly string[];
  readonly fixed_ips: readonly { readonly subnet_id: string; readonly ip_address: string }[];
  readonly allowed_address_pairs: readonly object[];
}

interface Network extends Named {
  readonly mtu: number;
  readonly admin_state_up: boolean;
}

interface Subnet extends Named {
  readonly network_id: string;
  readonly cidr: string;
  readonly gateway_ip: string | null;
  readonly enable_dhcp: boolean;
  readonly dns_nameservers: readonly string[];
  readonly allocation_pools: readonly object[];
}

interface Router extends Named {
  readonly external_gateway_info: { readonly network_id: string } | null;
  readonly routes: readonly object[];
}

interface FloatingIp {
  readonly id: string;
  readonly port_id: string | null;
  readonly floating_network_id: string;
  readonly floating_ip_address: string;
}

interface Group extends Named {
  readonly description: string;
  readonly security_group_rules: readonly Readonly<Record<string, unknown>>[];
}

/** Observes a project by Nova, Neutron, Cinder and Keystone, without the state of a stack. */
export async function observe(
  cloud: Pick<OpenStack, "get" | "ofProject" | "userId">,
  names: Names,
): Promise<Model> {
  const neutron = async <T>(collection: string): Promise<readonly T[]> => {
    const path = cloud.ofProject(collection);
    const answer = await cloud.get<Record<string, readonly T[]>>("network", path);
    return answer[collection.replaceAll("-", "_")] ?? [];
  };
  const [{ servers }, { server_groups }, { volumes }, { application_credentials }] = await Promise.all([
    cloud.get<{ servers: Server[] }>("compute", "/servers/detail"),
    cloud.get<{ server_groups: (Named & { policies: string[] })[] }>("compute", "/os-server-groups"),
    cloud.get<{ volumes: Volume[] }>("block-storage", "/volumes/detail"),
    cloud.get<{ application_credentials: (Named & { roles: Named[] })[] }>(
      "identity",
      `/users/${cloud.userId}/application_credentials`,
    ),
  ]);
  const [ports, networks, subnets, routers, floatingIps, groups] = await Promise.all([
    neutron<Port>("ports"),
    neutron<Network>("networks"),
    neutron<Subnet>("subnets"),
    neutron<Router>("routers"),
    neutron<FloatingIp>("floatingips"),
    neutron<Group>("security-groups"),
  ]);

  const subject = (kind: CloudKind, { name }: Pick<Named, "name">): Subject => subjectOf(kind, name, names);
  const known = new Map<string, Subject>([
    ...servers.map((one) => [one.id, subject("server", one)] as const),
    ...networks.map((one) => [one.id, subject("network", one)] as const),
    ...subnets.map((one) => [one.id, subject("subnet", one)] as const),
    ...routers.map((one) => [one.id, subject("router", one)] as const),
    ...ports.map((one) => [one.id, subject("port", one)] as const),
  ]);
  const shown = (id: string): string => {
    const one = known.get(id);
    return one === undefined ? id : textOf(one);
  };

  return modelOf(
    [
      ...servers.map((server) => seenServer(server, subject("server", server))),
      ...server_groups.map((one) => ({
        subject: subject("serverGroup", one),
        identity: one.id,
        fields: { policies: one.policies },
      })),
      ...application_credentials.map((one) => ({
        subject: subject("applicationCredential", one),
        identity: one.id,
        fields: { roles: one.roles.map(({ name }) => name).sort() },
      })),
      ...volumes.flatMap((volume) => seenVolume(volume, subject("volume", volume), shown)),
      ...networks.map((one) => ({
        subject: subject("network", one),
        identity: one.id,
        fields: { mtu: one.mtu, up: one.admin_state_up },
      })),
      ...subnets.map((one) => ({
        subject: subject("subnet", one),
        identity: one.id,
        fields: {
          ...{ network: one.network_id, cidr: one.cidr, gateway: one.gateway_ip, dhcp: one.enable_dhcp },
          ...{ nameservers: one.dns_nameservers, pools: one.allocation_pools },
        },
      })),
      ...routers.map((one) => ({
        subject: subject("router", one),
        identity: one.id,
        fields: { externalNetwork: one.external_gateway_info?.network_id, routes: one.routes },
      })),
      ...ports.map((port) => seenPort(port, subject("port", port), known, shown)),
      ...floatingIps.map((one) => ({
        subject: floatingIpOf(known.get(one.port_id ?? "")),
        identity: one.id,
        fields: { port: one.port_id, network: one.floating_network_id, address: one.floating_ip_address },
      })),
      ...groups.map((one) => ({
        subject: subject("securityGroup", one),
        identity: one.id,
        fields: { rules: one.security_group_rules.map(rule).sort() },
      })),
    ].sort((a, b) => (a.identity < b.identity ? -1 : 1)),
  );
}

/** End of the name that Pulumi gives a cloud resource: seven digits after the name in the program. */
const DIGITS = /-[0-9a-f]{7}$/;

/** Returns the subject of a cloud resource. A resource with another form of name belongs to no instance. */
export function subjectOf(kind: CloudKind, name: string, names: Names): Subject {
  // servers have the name in the plan, without digits
  const resource = kind === "server" ? name : name.replace(DIGITS, "");
  if (kind !== "server" && resource === name) return { kind, key: name };
  // the name of one instance may begin with that of another
  for (const vnf of Object.keys(names).sort((a, b) => b.length - a.length)) {
    if (resource !== vnf && !resource.startsWith(`${vnf}-`)) continue;
    const within = resource.slice(vnf.length + 1);
    for (const vdu of names[vnf] ?? []) {
      const [, number, , key = ""] = new RegExp(`^${vdu}-(\\d+)(-(.*))?$`, "i").exec(within) ?? [];
      if (number !== undefined) return { vnf, vnfc: `${vdu}-${number}`, kind, key };
    }
    return { vnf, kind, key: within };
  }
  return { kind, key: name };
}

function seenServer(server: Server, subject: Subject): Seen {
  const { id, name, status, flavor, image, metadata, config_drive: configDrive } = server;
  const imageId = image === "" ? "" : image.id;
  return {
    subject,
    identity: id,
    fields: { name, status, flavor: flavor.id, image: imageId, metadata, configDrive },
  };
}

/** Observes a volume and its attachment. */
function seenVolume(volume: Volume, subject: Subject, shown: (id: string) => string): Seen[] {
  const { id, name, size, volume_type: type, availability_zone: zone, attachments } = volume;
  const servers = attachments.map(({ server_id }) => server_id);
  const fields = { size, type, zone };
  // Nova gives the root volume no name, and deletes it with the server
  if (name === "" && servers[0] !== undefined) {
    const owner = shown(servers[0]);
    return [{ subject: { kind: "volume", key: `of ${owner}` }, identity: id, fields, derivedFrom: owner }];
  }
  return [
    { subject, identity: id, fields },
    ...servers.map((server) => ({
      subject: { ...subject, kind: "volumeAttachment" as const, key: `${subject.key}-attachment` },
      identity: `${server} ${id}`,
      fields: { server: shown(server) },
    })),
  ];
}

function seenPort(
  port: Port,
  named: Subject,
  known: ReadonlyMap<string, Subject>,
  shown: (id: string) => string,
): Seen {
  const { device_owner: owner, device_id: device, network_id: network } = port;
  const addresses = port.fixed_ips.map(({ ip_address }) => ip_address).sort();
  if (owner.startsWith("network:router_interface")) {
    const subject = interfaceOf(known.get(network), known.get(port.fixed_ips[0]?.subnet_id ?? ""));
    return { subject, identity: port.id, fields: { addresses, router: shown(device) } };
  }
  // ports of DHCP and of OVN's metadata service
  if (owner.startsWith("network:")) {
    const key = `${owner} ${device} on ${shown(network)}`;
    const subject = { kind: "port", key } as const;
    return { subject, identity: port.id, fields: {}, derivedFrom: shown(network) };
  }
  return {
    subject: named,
    identity: port.id,
    fields: {
      ...{ network, addresses, up: port.admin_state_up, portSecurity: port.port_security_enabled },
      groups: [...port.security_groups].sort(),
      pairs: port.allowed_address_pairs.map((pair) => JSON.stringify(pair)).sort(),
      tags: [...port.tags].sort(),
      qosPolicy: port.qos_policy_id,
      // the VNFC's subject, because a port stays when its server is replaced
      server: device === "" ? "" : shown(device),
    },
  };
}

/** Returns the subject of a router's interface in a subnet: `nodes-router`, in a second subnet `nodes-router-2`. */
function interfaceOf(network: Subject | undefined, subnet: Subject | undefined): Subject {
  const { vnf, key = "" } = network ?? {};
  const number = (subnet?.key ?? "").slice(key.length);
  return { ...(vnf !== undefined && { vnf }), kind: "routerInterface", key: `${key}-router${number}` };
}

function floatingIpOf(port: Subject | undefined): Subject {
  if (port === undefined) return { kind: "floatingIp", key: "of no port" };
  return { ...port, kind: "floatingIp", key: `${port.key}-floating` };
}

function rule(fields: Readonly<Record<string, unknown>>): string {
  const keys = ["direction", "ethertype", "protocol", "port_range_min", "port_range_max"];
  return [...keys, "remote_ip_prefix", "remote_group_id"]
    .map((key) => JSON.stringify(fields[key] ?? ""))
    .join(" ");
}
