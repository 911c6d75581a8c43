import { isUuid } from "../base/uuid";
import { thingsOf, type CloudAnswer } from "../openstack/answers";
import { listed } from "../openstack/listing";
import type { Flavor, Service } from "../openstack/session";
import type { CloudNeed } from "../plan/cloud-need";
import type { Cloud } from "./cloud";

/** A resource of the cloud. A resource without an id is known by its name. */
export interface Resource {
  readonly id?: string;
  readonly name?: string;
  /** The version of Kubernetes in an image, if a property of it has one. */
  readonly kube_version?: string;
  /** Network of a subnet. */
  readonly network_id?: string;
  /** IP version of a subnet: 4 or 6. */
  readonly ip_version?: number;
  /** CIDR of a subnet. */
  readonly cidr?: string;
  /** Gateway of a subnet that has one. */
  readonly gateway_ip?: string;
}

/** Kinds that are listed completely; images are not, as there may be too many. */
type Listed = Exclude<CloudNeed["kind"], "image">;

const ZONES = { path: "/os-availability-zone", key: "availabilityZoneInfo" };

const LISTS: Readonly<Record<Listed, { service: Service; path: string; key: string }>> = {
  flavor: { service: "compute", path: "/flavors/detail", key: "flavors" },
  network: { service: "network", path: "/v2.0/networks", key: "networks" },
  subnet: { service: "network", path: "/v2.0/subnets", key: "subnets" },
  router: { service: "network", path: "/v2.0/routers", key: "routers" },
  "security group": { service: "network", path: "/v2.0/security-groups", key: "security_groups" },
  "QoS policy": { service: "network", path: "/v2.0/qos/policies", key: "policies" },
  "key pair": { service: "compute", path: "/os-keypairs", key: "keypairs" },
  "volume type": { service: "block-storage", path: "/types", key: "volume_types" },
  "availability zone": { service: "compute", ...ZONES },
  "availability zone of volumes": { service: "block-storage", ...ZONES },
};

/** All resources of a kind that the project may use. */
export async function resourcesOf(kind: Listed, cloud: Cloud): Promise<readonly Resource[]> {
  const { service, path, key } = LISTS[kind];
  return (await listed<Wrapped>(cloud, service, path, key)).map(unwrapped);
}

/** All flavors that the project may use. */
export async function flavorsIn(cloud: Cloud): Promise<readonly Flavor[]> {
  return (await resourcesOf("flavor", cloud)) as readonly Flavor[];
}

interface Wrapped extends Resource {
  readonly keypair?: Resource;
  readonly zoneName?: string;
}

/** Unwraps a resource: Nova nests each key pair in another object, and gives zones `zoneName` as their name. */
function unwrapped({ keypair, zoneName, ...resource }: Wrapped): Resource {
  return keypair ?? (zoneName === undefined ? resource : { name: zoneName });
}

/** An image of Glance; sizes are in bytes, `min_disk` in GiB, `min_ram` in MiB. */
export interface Image extends Resource {
  readonly id: string;
  readonly status: string;
  readonly min_disk: number;
  readonly min_ram: number;
  readonly size: number | null;
  readonly virtual_size: number | null;
}

/** The images with the name or, if there is none, the one with that id. */
export async function imagesOf(nameOrId: string, cloud: Cloud): Promise<readonly Image[]> {
  const path = `/v2/images?name=${encodeURIComponent(nameOrId)}`;
  const byName = thingsOf<Image>(await cloud.get<CloudAnswer>("image", path), "images");
  if (byName.length > 0 || !isUuid(nameOrId)) return byName;
  const byId = await cloud.get<Image>("image", `/v2/images/${nameOrId}`);
  return byId === undefined ? [] : [byId];
}
