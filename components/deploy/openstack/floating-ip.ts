import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { ipAddress } from "../../base/net/cidr";
import type { Link } from "../../plan/servers/model";
import { withoutStackTrace } from "../run-error";
import { networkName } from "./lookups";
import type { VirtualLinks } from "./virtual-links";

export interface FloatingIpArgs {
  /** Id or name of the external network for the floating IP. Undefined: none is created. */
  readonly floatingNetwork: string | undefined;
  readonly portId: pulumi.Input<string>;
  /** The network of the port. */
  readonly link: Link;
  readonly virtualLinks: VirtualLinks;
}

/**
 * Gives a port a floating IP, which stays with the port when its server is replaced.
 * @returns the address; RunError, in the output, for an invalid one
 */
export function floatingIp(
  name: string,
  { floatingNetwork, portId, link, virtualLinks }: FloatingIpArgs,
  child: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
  if (floatingNetwork === undefined) return undefined;
  const { address } = new openstack.networking.FloatingIp(
    name,
    { pool: networkName(floatingNetwork, child), portId },
    // Neutron refuses a floating IP for a port without a router to it, and keeps the router as long as there is one
    { ...child, dependsOn: [...virtualLinks.routed(link)] },
  );
  return address.apply((text) => withoutStackTrace(() => ipAddress(text, `floating IP ${name}`)));
}
