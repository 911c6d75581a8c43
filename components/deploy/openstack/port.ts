import * as openstack from "@pulumi/openstack";
import type { input as inputs } from "@pulumi/openstack/types";
import * as pulumi from "@pulumi/pulumi";
import { ipAddress } from "../../base/net/cidr";
import { Fault } from "../../base/fault";
import { addressInUse } from "../../plan/kubeadm/addresses";
import { existingSubnet } from "../../plan/link";
import type { PodRoute } from "../../plan/kubeadm/model";
import type { PlannedPort } from "../../plan/servers/model";
import { withoutStackTrace } from "../run-error";
import type { CloudNames } from "./lookups";
import type { VirtualLinks } from "./virtual-links";

export interface PortsArgs {
  readonly virtualLinks: VirtualLinks;
  readonly cloudNames: CloudNames;
  /** Security groups that vnfm creates. */
  readonly securityGroupIds: readonly pulumi.Input<string>[];
  /** Virtual IPs of its ports, by connection point. */
  readonly virtualIps: readonly {
    readonly targets: readonly string[];
    readonly addresses: readonly pulumi.Input<string>[];
  }[];
  /** Neutron's route to the pods of its server. @default none */
  readonly podRoute?: PodRoute | undefined;
}

/** The port of a server at a connection point. It belongs to the VNFC, and so stays when the server is replaced. */
export function serverPort(
  name: string,
  planned: PlannedPort,
  args: PortsArgs,
  child: pulumi.CustomResourceOptions,
): openstack.networking.Port {
  return new openstack.networking.Port(name, portArgs(planned, args), {
    ...child,
    // Neutron refuses another binding for a port in use; with other addresses the server would be unreachable, and a
    // node is in its cluster by its address
    ignoreChanges: ["binding", "fixedIps"],
  });
}

function portArgs(planned: PlannedPort, args: PortsArgs): openstack.networking.PortArgs {
  const { link, qosPolicy, tags } = planned;
  const fixed = fixedIps(planned);
  return {
    networkId: args.virtualLinks.networkId(link),
    adminStateUp: true,
    ...(fixed.length > 0 && { fixedIps: fixed }),
    ...filterArgs(planned, args),
    ...bindingArgs(planned),
    ...(qosPolicy !== undefined && { qosPolicyId: args.cloudNames.qosPolicyId(qosPolicy) }),
    ...(tags !== undefined && { tags: [...tags] }),
  };
}

/** The fixed addresses of a port, each in the subnet of the settings, else in the subnet that contains it. */
export function fixedIps({
  link,
  fixedAddresses = [],
}: Pick<PlannedPort, "link" | "fixedAddresses">): inputs.networking.PortFixedIp[] {
  const subnetId = existingSubnet(link);
  const ofSubnet = subnetId === undefined ? [] : [{ subnetId }];
  if (fixedAddresses.length === 0) return ofSubnet;
  // the SDK's type requires the subnet, although the provider does not
  return fixedAddresses.map((ipAddress) => ({ ...ofSubnet[0], ipAddress }) as inputs.networking.PortFixedIp);
}

/** Arguments for the traffic that Neutron allows at a port. */
function filterArgs(
  { connectionPoint, portSecurity, securityGroups = [], allowedAddressPairs = [] }: PlannedPort,
  { securityGroupIds, virtualIps, podRoute, cloudNames }: PortsArgs,
): Partial<openstack.networking.PortArgs> {
  // without port security Neutron accepts neither groups nor pairs, and allows all addresses, virtual IPs too
  if (portSecurity === false) return { portSecurityEnabled: false, noSecurityGroups: true };
  const groups = [...securityGroupIds, ...securityGroups.map((one) => cloudNames.securityGroupId(one))];
  const shared = virtualIps
    .filter(({ targets }) => targets.includes(connectionPoint))
    .flatMap(({ addresses }) => addresses.map((ipAddress) => ({ ipAddress })));
  const pods = podRoute?.connectionPoint === connectionPoint ? [{ ipAddress: podRoute.cidr }] : [];
  const pairs = [...shared, ...pods, ...allowedAddressPairs];
  return {
    ...(portSecurity !== undefined && { portSecurityEnabled: portSecurity }),
    // without a group Neutron gives the port the project's default group
    ...(groups.length > 0 && { securityGroupIds: groups }),
    ...(pairs.length > 0 && { allowedAddressPairs: pairs }),
  };
}

function bindingArgs({ vnicType, bindingProfile }: PlannedPort): Partial<openstack.networking.PortArgs> {
  if (vnicType === undefined && bindingProfile === undefined) return {};
  return {
    binding: {
      ...(vnicType !== undefined && { vnicType }),
      ...(bindingProfile !== undefined && { profile: JSON.stringify(bindingProfile) }),
    },
  };
}

type PortAddresses = Pick<openstack.networking.Port, "allFixedIps">;

/**
 * The IPv6 address of a port.
 * @throws RunError, in the output, if the port's network has no IPv6 subnet
 */
export function portIpv6(port: PortAddresses, connectionPoint: string): pulumi.Output<string> {
  const missing = "no IPv6 address, which dual stack requires: does its network have an IPv6 subnet?";
  return addressOf(port, connectionPoint, (addresses) => addresses.find((one) => one.includes(":")), missing);
}

/**
 * The address of a port, IPv4 first.
 * @throws RunError, in the output, if the port's network has no subnet
 */
export function portAddress(port: PortAddresses, connectionPoint: string): pulumi.Output<string> {
  const missing = "no address: does its network have a subnet?";
  return addressOf(port, connectionPoint, addressInUse, missing);
}

function addressOf(
  port: PortAddresses,
  connectionPoint: string,
  choose: (addresses: readonly string[]) => string | undefined,
  missing: string,
): pulumi.Output<string> {
  const owner = `the port of connection point ${connectionPoint}`;
  return port.allFixedIps.apply((addresses) =>
    withoutStackTrace(() => {
      const address = choose(addresses);
      if (address === undefined) throw new Fault(`${owner} has ${missing}`);
      return ipAddress(address, owner);
    }),
  );
}
