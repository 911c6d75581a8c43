import { listed } from "../../components/openstack/listing";
import type { OpenStack } from "../../components/openstack/session";

/** Resources of a cloud for a first cluster. */
export interface CloudOffer {
  /** Networks that accept servers of the project, and external networks. */
  readonly networks: readonly OfferedNetwork[];
  readonly images: readonly OfferedImage[];
  readonly flavors: readonly OfferedFlavor[];
}

/** A resource of a cloud. Its name may be ambiguous. */
export interface Offered {
  readonly id: string;
  readonly name: string;
}

export interface OfferedNetwork extends Offered {
  /** True for an external network, which routers can use as a gateway, and which has floating IPs. */
  readonly isExternal: boolean;
  /** True if it accepts servers of the project. */
  readonly isUsable: boolean;
  /** Subnets that the project may see. */
  readonly subnets: readonly OfferedSubnet[];
}

export interface OfferedSubnet {
  readonly cidr: string;
  readonly gateway: string | undefined;
}

export interface OfferedImage extends Offered {
  readonly createdAt: string;
  /** Version of Kubernetes, from the image property `kube_version`. */
  readonly kubernetesVersion: string | undefined;
  /** User for the login, from the image property `os_admin_user`. */
  readonly adminUser: string | undefined;
}

export interface OfferedFlavor extends Offered {
  readonly vcpus: number;
  readonly ramMiB: number;
  readonly diskGiB: number;
}

/** Reads the resources of a cloud. @throws Fault if an API does not answer */
export async function readCloudOffer(cloud: Pick<OpenStack, "get" | "projectId">): Promise<CloudOffer> {
  const [networks, subnets, images, flavors] = await Promise.all([
    listed<NetworkItem>(cloud, "network", "/v2.0/networks", "networks"),
    listed<SubnetItem>(cloud, "network", "/v2.0/subnets", "subnets"),
    listed<ImageItem>(cloud, "image", "/v2/images?status=active", "images"),
    listed<FlavorItem>(cloud, "compute", "/flavors/detail", "flavors"),
  ]);
  return {
    networks: networks.map((network) => ({
      ...{ id: network.id, name: network.name || network.id },
      isExternal: network["router:external"] === true,
      isUsable: network.shared === true || network.project_id === cloud.projectId,
      subnets: subnets
        .filter(({ network_id }) => network_id === network.id)
        .map(({ cidr, gateway_ip }) => ({ cidr, gateway: gateway_ip ?? undefined })),
    })),
    images: images.map((image) => ({
      ...{ id: image.id, name: image.name || image.id, createdAt: image.created_at },
      ...{ kubernetesVersion: image.kube_version, adminUser: image.os_admin_user },
    })),
    flavors: flavors.map(({ id, name, vcpus, ram, disk }) => ({
      id,
      name,
      vcpus,
      ramMiB: ram,
      diskGiB: disk,
    })),
  };
}

interface NetworkItem {
  readonly id: string;
  readonly name: string;
  readonly shared?: boolean;
  readonly project_id?: string;
  readonly "router:external"?: boolean;
}

interface SubnetItem {
  readonly network_id: string;
  readonly cidr: string;
  readonly gateway_ip: string | null;
}

interface ImageItem {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly kube_version?: string;
  readonly os_admin_user?: string;
}

interface FlavorItem {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly ram: number;
  readonly disk: number;
}
