import type { Finding } from "../base/findings";

/** Something of the cloud that machines of a cluster, or servers, are made of. */
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
    /** Nova's. */
    | "availability zone"
    /** Cinder's. */
    | "availability zone of volumes";
  /** Its name, or its id. */
  readonly asked: string;
  /** The setting that asks for it, from the cluster on. */
  readonly setting: Finding["place"];
  /** The setting takes an id and no name. */
  readonly isById?: boolean;
  /** The network is that of the machines, and Neutron chooses their subnet. */
  readonly isAnySubnet?: boolean;
  /** The version of Kubernetes that machines of the image are to have, such as `v1.33.0`. */
  readonly kubernetesVersion?: string;
  /** Machines that are made of the image. */
  readonly machines?: readonly MachineDisk[];
}

/** Disk that machines boot from: of their flavor, or a volume. */
export interface MachineDisk {
  /** The setting of the machines, from the cluster on. */
  readonly setting: Finding["place"];
  /** Its name or id. */
  readonly flavor: string;
  readonly rootVolumeGiB?: number;
}
