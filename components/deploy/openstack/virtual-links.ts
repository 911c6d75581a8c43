import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { own } from "../../own";
import type { PlannedNetwork, PlannedPort, PlannedServer } from "../../plan/model";
import { Network } from "./network";
import { inRelease } from "./provider-release";

export interface VirtualLinksArgs {
  /** Internal virtual links to make. */
  readonly networks: readonly PlannedNetwork[];
  /** The servers whose ports name external networks. */
  readonly servers: readonly PlannedServer[];
}

/** The networks of a VNF instance: the internal ones are made, the external ones looked up, each once. */
export class VirtualLinks extends pulumi.ComponentResource {
  readonly #internal: Readonly<Record<string, pulumi.Output<string>>>;
  readonly #external: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: VirtualLinksArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:VirtualLinks", name, {}, opts);
    const child = { parent: this };
    this.#internal = Object.fromEntries(
      args.networks.map((network) => [
        network.virtualLink,
        new Network(`${name}-${network.virtualLink}`, { network }, child).networkId,
      ]),
    );
    const external = new Set(
      args.servers.flatMap(({ ports }) =>
        ports.flatMap(({ link }) => ("external" in link ? [link.external.network] : [])),
      ),
    );
    this.#external = Object.fromEntries([...external].map((network) => [network, idOf(network, child)]));
    this.registerOutputs({});
  }

  /** Neutron id of the network that a port connects to. */
  networkId(link: PlannedPort["link"]): pulumi.Output<string> {
    const id =
      "external" in link ? own(this.#external, link.external.network) : own(this.#internal, link.virtualLink);
    if (id === undefined) throw new Error(`${JSON.stringify(link)} is not in the plan's networks`);
    return id;
  }
}

/** A network is given by its id or by its name. */
function idOf(network: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(network)) return pulumi.output(network);
  return openstack.networking.getNetworkOutput({ name: network }, inRelease(opts)).id;
}
