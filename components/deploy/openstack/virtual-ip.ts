import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../../base/fault";
import { addressInUse } from "../../plan/kubeadm/addresses";
import type { PlannedVirtualIp } from "../../plan/model";
import { keptAddressFault } from "../../plan/servers/virtual-ips";
import { withoutStackTrace } from "../run-error";
import { floatingIp } from "./floating-ip";
import { fixedIps, portAddress } from "./port";
import type { VirtualLinks } from "./virtual-links";

export interface VirtualIpArgs {
  readonly virtualIp: PlannedVirtualIp;
  readonly virtualLinks: VirtualLinks;
}

/** An address that servers share, or a load balancer has. */
export interface SharedAddress {
  readonly address: pulumi.Output<string>;
  /** Undefined where the plan gives it none. */
  readonly floatingIp: pulumi.Output<string> | undefined;
}

/** An address that belongs to no server: a Neutron port of its own keeps it from being given out. */
export class VirtualIp extends pulumi.ComponentResource implements SharedAddress {
  readonly address: pulumi.Output<string>;
  /** Those that the plan has chosen besides too. */
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
      // with another address nobody would find the API of a cluster, whose certificates have this one
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
 * The addresses of a virtual IP, which it keeps.
 * @throws RunError, in the output, where the plan asks for others than it was made with
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
