import type { PortSettings, ServerSettings } from "../../settings/model";
import type { ExtraSpec, L3ProtocolData, Vdu } from "../../vnfd/model";

/** The role of a server in a cluster. A load balancer that runs on a master has the role of the master. */
export type Role = "master" | "worker" | "balancer" | "storage";

/** A virtual link with subnets, from the VNFD or from the stack config. */
export interface PlannedNetwork {
  readonly virtualLink: string;
  /** Subnets, at least one. */
  readonly subnets: readonly PlannedSubnet[];
  /** Undefined: the cloud's default. */
  readonly mtu: number | undefined;
  readonly vlanTransparent: boolean;
  /** Addresses, each for the subnets of its IP version. None: the cloud's default. */
  readonly dnsNameservers: readonly string[];
  /** The router of all its subnets. Undefined: the network is isolated. */
  readonly router: PlannedRouter | undefined;
}

/** An existing Neutron router, by its id or name; or one to create, with the id or name of its external network. */
export type PlannedRouter =
  | { readonly kind: "existing"; readonly router: string }
  | { readonly kind: "made"; readonly externalNetwork: string };

export interface PlannedSubnet extends L3ProtocolData {
  readonly cidr: string;
}

/** A Nova server group. */
export interface PlannedPlacementGroup {
  readonly id: string;
  readonly policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
  readonly vdus: readonly string[];
}

/** A virtual IP: an address that the ports of some connection points share. */
export interface PlannedVirtualIp {
  readonly connectionPoint: string;
  readonly link: Link;
  readonly targets: readonly string[];
  /** Id or name of the external network for its floating IP, as of a port. Undefined: it has none. */
  readonly floatingNetwork: string | undefined;
  /** At most one address of each IP version. None: Neutron chooses. */
  readonly fixedAddresses: readonly string[];
}

/** One VNFC: a Nova server. */
export interface PlannedServer extends Omit<ServerSettings, "availabilityZones" | "volumeAvailabilityZones"> {
  /** VNFC name `<VDU>-<ordinal>`, ordinals from 1, in config, resources and outputs. */
  readonly key: string;
  /** Name of the server, host and Node: `<instance>-<vdu>-<ordinal>`, converted to a DNS label. */
  readonly name: string;
  readonly vdu: Vdu;
  /** Name or id of its image. */
  readonly image: string;
  /** The boot volume, created from the image. Undefined: the server boots from the disk of its flavor. */
  readonly bootVolume: PlannedBootVolume | undefined;
  readonly flavor: PlannedFlavor;
  /** Zone of Nova. Undefined: Nova chooses. */
  readonly availabilityZone: string | undefined;
  /** The trigger value of a heal: a new one replaces the server; empty if it was never healed. */
  readonly healToken: string;
  /** Ports in the order of the guest's interfaces. */
  readonly ports: readonly PlannedPort[];
  /** Volumes in addition to the boot volume, in the order of their attachment. */
  readonly volumes: readonly PlannedVolume[];
  /** Role in a kubeadm cluster. @default the server belongs to none */
  readonly role?: Role;
}

/** A Cinder volume of one server. */
export interface PlannedVolume {
  /** The VirtualBlockStorage of the VNFD. */
  readonly storage: string;
  readonly sizeGiB: number;
  /** Name or id of the source image; undefined is an empty volume. */
  readonly image: string | undefined;
  /** Undefined: the cloud's default. */
  readonly volumeType: string | undefined;
  /** Zone of Cinder. Undefined: the cloud's default. */
  readonly availabilityZone: string | undefined;
  /** True if no run may delete or replace it. */
  readonly protect: boolean;
}

export interface PlannedBootVolume extends PlannedVolume {
  /**
   * True if the volume outlives its server, and the next server of the VNFC boots from it. False: it is deleted with
   * the server.
   */
  readonly isKept: boolean;
}

/** The volumes that outlive their server, including a kept boot volume. */
export function ownVolumes({ bootVolume, volumes }: PlannedServer): readonly PlannedVolume[] {
  return [...(bootVolume?.isKept ? [bootVolume] : []), ...volumes];
}

/** A Nova flavor by its name or id, or the one of exactly this size. */
export type PlannedFlavor = { readonly kind: "name"; readonly name: string } | SizedFlavor;

export type { ExtraSpec };

/** A flavor chosen by its exact size. */
export interface SizedFlavor {
  readonly kind: "size";
  readonly vcpus: number;
  readonly ramMiB: number;
  readonly diskGiB: number;
  /** Extra specs that choose between flavors of the same size. @default there is only one of that size */
  readonly extraSpecs?: readonly ExtraSpec[];
}

/** A Neutron port of one server; its fixed addresses are at most one of each IP version. */
export interface PlannedPort extends Omit<PortSettings, "vnicType"> {
  readonly connectionPoint: string;
  readonly link: Link;
  /** VNIC type of Neutron. Undefined is `normal`. */
  readonly vnicType: string | undefined;
  /** Id or name of the external network for its floating IP. Undefined: it has none. */
  readonly floatingNetwork: string | undefined;
}

/**
 * The network of a port: one that vnfm creates, by its virtual link; or an existing one, by its id or name, and perhaps
 * the id of one of its subnets.
 */
export type Link =
  | { readonly kind: "internal"; readonly virtualLink: string }
  | { readonly kind: "external"; readonly network: string; readonly subnet?: string };
