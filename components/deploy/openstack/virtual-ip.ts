import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../../base/fault";
import { addressInUse } from "../../plan/kubeadm/addresses";
import type { PlannedVirtualIp } from "../../plan/servers/model";
import { keptAddressFault } from "../../plan/servers/virtual-ips";
import { withoutStackTrace } from "../run-error";
import { floatingIp } from "./floating-ip";
import { fixedIps, portAddress } from "./port";
import type { VirtualLinks } from "./virtual-links";

export interface VirtualIpArgs {
  readonly virtualIp: PlannedVirtualIp;
  readonly virtualLinks: VirtualLinks;
}

/** A virtual IP of servers, or the address of a load balancer. */
export interface SharedAddress {
  readonly address: pulumi.Output<string>;
  /** Undefined if the plan has none. */
  readonly floatingIp: pulumi.Output<string> | undefined;
}

/** A virtual IP that belongs to no server: a separate Neutron port reserves it. */
export class VirtualIp extends pulumi.ComponentResource implements SharedAddress {
  readonly address: pulumi.Output<string>;
  /** All addresses, with the additional ones of the plan. */
  readonly addresses: readonly pulumi.Input<string>[];
  readonly floatingIp: pulumi.Output<string> | undefined;

  constructor(name: string, args: VirtualIpArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:VirtualIp", name, {}, opts);
    const { virtualIp, virtualLinks } = args;
    const { connectionPoint, link, floatingNetwork, fixedAddresses } = virtualIp;
    const child = { parent: this };
    const fixed = fixedIps(virtualIp);
    const port = new openstack.networking.Port(
      name,
      {
        networkId: virtualLinks.networkId(link),
        ...(fixed.length > 0 && { fixedIps: fixed }),
        adminStateUp: true,
      },
      // with another address no client would find the API of a cluster, whose certificates contain this one
      { ...child, ignoreChanges: ["fixedIps"] },
    );
    const allFixedIps = keptAddresses(name, virtualIp, port.allFixedIps);
    this.address = portAddress({ allFixedIps }, connectionPoint);
    const others = fixedAddresses.filter((one) => one !== addressInUse(fixedAddresses));
    this.addresses = [this.address, ...others];
    const floating = { floatingNetwork, portId: port.id, link, virtualLinks };
    this.floatingIp = floatingIp(`${name}-floating`, floating, child);
    this.registerOutputs({ address: this.address });
  }
}

/**
 * The addresses of a virtual IP, which never change.
 * @throws RunError, in the output, if the plan has other addresses
 */
export function keptAddresses(
  name: string,
  virtualIp: PlannedVirtualIp,
  addresses: pulumi.Output<string[]>,
): pulumi.Output<string[]> {
  return addresses.apply((all) =>
    withoutStackTrace(() => {
      const fault = keptAddressFault(name, virtualIp, all);
      if (fault !== undefined) throw new Fault(fault);
      return all;
    }),
  );
}
