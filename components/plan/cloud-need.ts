import type { Finding } from "../base/findings";

/** A resource of the cloud that machines of a cluster, or servers, need. */
export interface CloudNeed {
  readonly kind:
    | "image"
    | "flavor"
    | "network"
    | "subnet"
    | "router"
    | "security group"
    | "QoS policy"
    | "key pair"
    | "volume type"
    /** A zone of Nova. */
    | "availability zone"
    /** A zone of Cinder. */
    | "availability zone of volumes";
  /** Name or id of the resource. */
  readonly asked: string;
  /** The setting that names it, as a path below that of the cluster. */
  readonly setting: Finding["place"];
  /** True if the setting takes an id only, and no name. */
  readonly isById?: boolean;
  /** True for the network of the machines, whose subnet Neutron chooses. */
  readonly isAnySubnet?: boolean;
  /** The version of Kubernetes that the image has to contain, such as `v1.33.0`. */
  readonly kubernetesVersion?: string;
  /** Machines that use the image. */
  readonly machines?: readonly MachineDisk[];
}

/** The boot disk of a machine: that of its flavor, or a volume. */
export interface MachineDisk {
  /** The setting of the machines, as a path below that of the cluster. */
  readonly setting: Finding["place"];
  /** Name or id of the flavor. */
  readonly flavor: string;
  readonly rootVolumeGiB?: number;
}
