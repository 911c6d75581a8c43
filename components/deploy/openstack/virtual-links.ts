import * as pulumi from "@pulumi/pulumi";
import { own } from "../../base/own";
import { existingNetwork } from "../../plan/link";
import type { Link, PlannedNetwork, PlannedServer } from "../../plan/servers/model";
import { networkId } from "./lookups";
import { Network } from "./network";

export interface VirtualLinksArgs {
  /** Virtual links to create. */
  readonly networks: readonly PlannedNetwork[];
  /** The servers whose ports name external networks. */
  readonly servers: readonly PlannedServer[];
}

/** The networks of a VNF instance: virtual links are created, existing networks are looked up, each once. */
export class VirtualLinks extends pulumi.ComponentResource {
  readonly #internal: Readonly<Record<string, Network>>;
  readonly #external: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: VirtualLinksArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:VirtualLinks", name, {}, opts);
    const child = { parent: this };
    this.#internal = Object.fromEntries(
      args.networks.map((network) => [
        network.virtualLink,
        new Network(`${name}-${network.virtualLink}`, { network }, child),
      ]),
    );
    const external = new Set(
      args.servers.flatMap(({ ports }) => ports.flatMap(({ link }) => existingNetwork(link) ?? [])),
    );
    this.#external = Object.fromEntries([...external].map((network) => [network, networkId(network, child)]));
    this.registerOutputs({});
  }

  /** Neutron id of the network that a port connects to. */
  networkId(link: Link): pulumi.Output<string> {
    switch (link.kind) {
      case "internal":
        return this.#made(link).networkId;
      case "external": {
        const id = own(this.#external, link.network);
        if (id === undefined) throw new Error(`${link.network} is not in the plan's networks`);
        return id;
      }
    }
  }

  /** Resources that must exist while a port has a floating IP or a route. */
  routed(link: Link): readonly pulumi.Resource[] {
    return link.kind === "internal" ? this.#made(link).routed : [];
  }

  /** Neutron id of the router of a network that vnfm creates. @throws Error if it has none */
  routerId(link: Link): pulumi.Output<string> {
    const id = link.kind === "internal" ? this.#made(link).routerId : undefined;
    if (id === undefined) throw new Error(`${JSON.stringify(link)} has no router in the plan`);
    return id;
  }

  #made({ virtualLink }: Extract<Link, { kind: "internal" }>): Network {
    const network = own(this.#internal, virtualLink);
    if (network === undefined) throw new Error(`${virtualLink} is not in the plan's networks`);
    return network;
  }
}
