import type { Finding } from "../base/findings";
import type { PlannedFlavor } from "./servers/model";

/** A setting, as a path below that of the instance. */
export type SettingPath = Finding["place"];

/** A resource of the cloud that servers, or machines of a cluster from a template, need. */
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
  readonly name: string;
  /** The setting that names it. */
  readonly setting: SettingPath;
  /** True if the setting takes an id only, and no name. */
  readonly isById?: boolean;
  /** True for the network of the machines, whose subnet Neutron chooses. */
  readonly isAnySubnet?: boolean;
  /** Kubernetes version that the image must contain, such as `v1.33.0`. */
  readonly kubernetesVersion?: string;
  /** True if the provider plugin looks it up too, and reports a missing or an ambiguous one. @default false */
  readonly isOfPlugin?: boolean;
  /** Disks with the content of the image. */
  readonly disks?: readonly ImageDisk[];
}

/** A resource of the cloud that the program's own servers need. */
export interface ServerNeed extends CloudNeed {
  /** Names of the servers that need it. */
  readonly servers: readonly string[];
  /** True if each run looks the resource up in the cloud, also when all of these servers exist. @default false */
  readonly isLookedUp?: boolean;
}

/** A disk of a server or a machine, and the flavor of that. */
export interface ImageDisk {
  readonly flavor: PlannedFlavor;
  /** The setting of the flavor. */
  readonly ofFlavor: SettingPath;
  /** Undefined: the disk is that of the flavor. */
  readonly volume?: { readonly name: string; readonly sizeGiB: number; readonly setting: SettingPath };
}
