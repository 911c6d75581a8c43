import { API_SERVER_PORT } from "../../kube/cluster/control-plane";
import type { Fields } from "../../kube/objects/object";
import { NODE_CIDR } from "../../settings/cluster-network-checks";
import type { ApiServer, ClusterNetwork, ClusterSettings, Machines } from "../../settings/model";
import { parseTraffic } from "../../base/net/traffic";
import { isUuid } from "../../base/uuid";

/**
 * API version of Cluster API's provider for OpenStack (CAPO), release 0.14.
 * https://cluster-api-openstack.sigs.k8s.io/api/v1beta1/api
 */
export const INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io/v1beta1";

/** Name of the cloud in the clouds.yaml of a cluster's Secret. */
export const CLOUD = "openstack";

/** Name of the Secret with the clouds.yaml of a cluster. */
export function cloudSecret(cluster: string): string {
  return `${cluster}-cloud-config`;
}

/** Name of the network that CAPO creates for a cluster; CAPO uses an existing network of the project with this name. */
export function networkName(cluster: string): string {
  return `k8s-clusterapi-cluster-${cluster}-${cluster}`;
}

/**
 * The spec of an OpenStackCluster. CAPO's immutable defaults are written out, so that they stay when a later CAPO has
 * other defaults.
 */
export function openStackCluster(name: string, settings: ClusterSettings): Fields {
  const { network, apiServer, controlPlane, sshKeyName } = settings;
  const { externalNetwork, bastion } = network;
  const rules = securityRules(apiServer, network);
  return {
    identityRef: { name: cloudSecret(name), cloudName: CLOUD },
    ...(externalNetwork === undefined
      ? { disableExternalNetwork: true }
      : { externalNetwork: reference(externalNetwork) }),
    ...networkFields(network),
    managedSecurityGroups: {
      allowAllInClusterTraffic: true,
      ...(rules.length > 0 && { allNodesSecurityGroupRules: rules }),
    },
    ...apiFields(apiServer),
    // else CAPO would use all zones that the user sees, also those for other purposes
    ...(controlPlane.availabilityZones
      ? { controlPlaneAvailabilityZones: controlPlane.availabilityZones }
      : { controlPlaneOmitAvailabilityZone: true }),
    bastion: bastion === undefined ? { enabled: false } : bastionFields(bastion, sshKeyName),
  };
}

/** The field `bastion`. A cluster without one has the field too, as CAPO refuses to remove it later. */
function bastionFields(
  { flavor, image, availabilityZone }: NonNullable<ClusterNetwork["bastion"]>,
  sshKeyName: string | undefined,
): Fields {
  return {
    enabled: true,
    ...(availabilityZone !== undefined && { availabilityZone }),
    spec: { flavor, image: reference(image), ...(sshKeyName !== undefined && { sshKeyName }) },
  };
}

function networkFields(network: ClusterNetwork): Fields {
  const { network: existing, subnet, router: existingRouter, allocationPools, mtu, dnsNameservers } = network;
  const router = existingRouter === undefined ? {} : { router: reference(existingRouter) };
  if (existing !== undefined)
    return {
      network: reference(existing),
      ...(subnet !== undefined && { subnets: [reference(subnet)] }),
      ...router,
    };
  const managed = {
    cidr: network.nodeCidr ?? NODE_CIDR,
    ...(allocationPools && { allocationPools }),
    ...(dnsNameservers && { dnsNameservers }),
  };
  return {
    managedSubnets: [managed],
    ...(mtu !== undefined && { networkMTU: mtu }),
    ...router,
  };
}

/** Security group rules in addition to those of CAPO, without duplicates: their names are the keys of the list. */
function securityRules({ port }: ApiServer, { ingressRules }: ClusterNetwork): Fields[] {
  // CAPO opens port 6443 of the control plane to everyone, but no other port of the API
  const api = port === API_SERVER_PORT ? [] : [{ ports: [`tcp/${port}`], cidrs: ["0.0.0.0/0"] }];
  const rules = [...api, ...ingressRules].flatMap(({ ports, cidrs }) =>
    ports.flatMap((text) => cidrs.map((cidr) => securityRule(text, cidr))),
  );
  return [...new Map(rules.map((rule) => [rule["name"], rule])).values()];
}

/** @param text ports and protocol, such as `tcp/443` */
function securityRule(text: string, cidr: string): Fields {
  const { protocol = text, ports: range } = parseTraffic(text) ?? {};
  return {
    name: `${text} from ${cidr}`,
    direction: "ingress",
    etherType: cidr.includes(":") ? "IPv6" : "IPv4",
    protocol,
    ...(range && { portRangeMin: range[0], portRangeMax: range[1] }),
    remoteIPPrefix: cidr,
  };
}

function apiFields(api: ApiServer): Fields {
  const { loadBalancer, loadBalancerProvider: provider, allowedCidrs, floatingIp, fixedIp, port } = api;
  return {
    apiServerLoadBalancer: {
      enabled: loadBalancer,
      ...(provider !== undefined && { provider }),
      ...(allowedCidrs && { allowedCIDRs: allowedCidrs }),
    },
    apiServerPort: port,
    disableAPIServerFloatingIP: floatingIp === false,
    ...(typeof floatingIp === "string" && { apiServerFloatingIP: floatingIp }),
    ...(fixedIp !== undefined && { apiServerFixedIP: fixedIp }),
  };
}

/** Name of the volume for etcd. */
const ETCD_VOLUME = { name: "etcd" };

/**
 * The spec of an OpenStackMachineTemplate.
 * @param serverGroup name of the machines' server group
 * @param virtualIp address that kube-vip moves between the machines
 */
export function openStackMachine(
  image: string,
  machines: Machines & { readonly etcdVolume?: { readonly sizeGiB: number; readonly type?: string } },
  {
    sshKeyName,
    serverGroup,
    virtualIp,
  }: {
    readonly sshKeyName?: string | undefined;
    readonly serverGroup: string;
    readonly virtualIp?: string | undefined;
  },
): Fields {
  const { flavor, rootVolume: root, etcdVolume, volumes = [], additionalPorts, metadata, tags } = machines;
  // the volume for etcd is the first one after the boot volume, in the order of the kernel's devices
  const further = [...(etcdVolume ? [{ ...etcdVolume, ...ETCD_VOLUME }] : []), ...volumes];
  return {
    flavor,
    image: reference(image),
    ...(sshKeyName !== undefined && { sshKeyName }),
    ...(root && {
      rootVolume: {
        sizeGiB: root.sizeGiB,
        ...(root.type !== undefined && { type: root.type }),
        ...(root.availabilityZone !== undefined && {
          availabilityZone: { from: "Name", name: root.availabilityZone },
        }),
      },
    }),
    ...(further.length > 0 && {
      additionalBlockDevices: further.map(({ name, sizeGiB, type }) => ({
        ...{ name, sizeGiB },
        storage: { type: "Volume", ...(type !== undefined && { volume: { type } }) },
      })),
    }),
    ...((additionalPorts ?? virtualIp) && { ports: ports(additionalPorts ?? [], virtualIp) }),
    ...(metadata && {
      serverMetadata: Object.entries(metadata)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => ({ key, value })),
    }),
    ...(tags && { tags }),
    ...(machines.configDrive !== undefined && { configDrive: machines.configDrive }),
    ...(machines.serverGroup !== undefined && { serverGroup: { filter: { name: serverGroup } } }),
  };
}

/** Ports of a machine. The first one is on the cluster's network, as CAPO uses it for a port without a network. */
function ports(
  additional: NonNullable<Machines["additionalPorts"]>,
  virtualIp: string | undefined,
): Fields[] {
  return [
    virtualIp === undefined ? {} : { allowedAddressPairs: [{ ipAddress: virtualIp }] },
    ...additional.map(({ network, subnet, vnicType, trunk, portSecurity, allowedAddresses }) => ({
      network: reference(network),
      ...(subnet !== undefined && { fixedIPs: [{ subnet: reference(subnet) }] }),
      ...(vnicType !== undefined && { vnicType }),
      ...(trunk && { trunk: true }),
      ...(!portSecurity && { disablePortSecurity: true }),
      ...(allowedAddresses && {
        allowedAddressPairs: allowedAddresses.map((ipAddress) => ({ ipAddress })),
      }),
    })),
  ];
}

/** A reference to a resource of the cloud, by its id or its name. */
function reference(nameOrId: string): Fields {
  return isUuid(nameOrId) ? { id: nameOrId } : { filter: { name: nameOrId } };
}
