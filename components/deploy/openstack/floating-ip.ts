import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { ipAddress } from "../../base/net/cidr";
import type { Link } from "../../plan/model";
import { withoutStackTrace } from "../run-error";
import { networkName } from "./lookups";
import type { VirtualLinks } from "./virtual-links";

export interface FloatingIpArgs {
  /** Id or name of the external network that it is of. Undefined: none is made. */
  readonly floatingNetwork: string | undefined;
  readonly portId: pulumi.Input<string>;
  /** What the port is on. */
  readonly link: Link;
  readonly virtualLinks: VirtualLinks;
}

/** Gives a port a floating IP, which stays with the port whatever server has that. @returns its address. RunError, in the output, for one that is none */
export function floatingIp(
  name: string,
  { floatingNetwork, portId, link, virtualLinks }: FloatingIpArgs,
  child: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
  if (floatingNetwork === undefined) return undefined;
  const { address } = new openstack.networking.FloatingIp(
    name,
    { pool: networkName(floatingNetwork, child), portId },
    // Neutron takes no floating IP for a port that no router leads to, and keeps the router while there is one
    { ...child, dependsOn: [...virtualLinks.routed(link)] },
  );
  return address.apply((text) => withoutStackTrace(() => ipAddress(text, `floating IP ${name}`)));
}
