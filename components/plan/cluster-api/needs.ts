import type { ClusterSettings, Machines } from "../../settings/model";
import type { CloudNeed, ImageDisk, SettingPath } from "../cloud-need";

/** Addresses of a cluster's API from its settings, and their networks. */
export interface ApiAddresses {
  readonly floatingIp?: string;
  /** Address in the network of the machines. */
  readonly fixedIp?: string;
  /** Name or id of the network for floating IPs. */
  readonly externalNetwork?: string;
  readonly network?: string;
  readonly subnet?: string;
}

/** The addresses that a cluster will get; that of an operator's own load balancer is in use already. */
export function apiAddresses({ apiServer, network }: ClusterSettings): ApiAddresses {
  const { floatingIp, fixedIp, loadBalancer, kubeVip } = apiServer;
  const { externalNetwork, network: existing, subnet } = network;
  const isOfOperator = !loadBalancer && kubeVip === undefined;
  return {
    ...(typeof floatingIp === "string" && { floatingIp }),
    ...(fixedIp !== undefined && !isOfOperator && { fixedIp }),
    ...(externalNetwork !== undefined && { externalNetwork }),
    ...(existing !== undefined && { network: existing }),
    ...(subnet !== undefined && { subnet }),
  };
}

/** Resources that must exist in the cloud for a cluster. */
export function cloudNeeds(settings: ClusterSettings): CloudNeed[] {
  const { image, kubernetesVersion, controlPlane, nodeGroups, network, sshKeyName } = settings;
  const { bastion } = network;
  const groups = Object.entries(nodeGroups);
  const disks = [
    diskOf(["controlPlane"], controlPlane),
    ...groups.flatMap(([group, groupSettings]) =>
      groupSettings.image === undefined ? [diskOf(["nodeGroups", group], groupSettings)] : [],
    ),
  ];
  return [
    ...need("image", image, "image").map((one) => ({ ...one, kubernetesVersion, disks })),
    ...need("key pair", sshKeyName, "sshKeyName"),
    ...machineNeeds(["controlPlane"], controlPlane),
    ...(controlPlane.availabilityZones ?? []).flatMap((zone, i) =>
      need("availability zone", zone, "controlPlane", "availabilityZones", i),
    ),
    ...need("volume type", controlPlane.etcdVolume?.type, "controlPlane", "etcdVolume", "type"),
    ...groups.flatMap(([group, groupSettings]) => {
      const setting = ["nodeGroups", group];
      const version = groupSettings.kubernetesVersion ?? kubernetesVersion;
      return [
        ...need("image", groupSettings.image, ...setting, "image").map((one) => ({
          ...one,
          ...{ kubernetesVersion: version, disks: [diskOf(setting, groupSettings)] },
        })),
        ...machineNeeds(setting, groupSettings),
        ...need("availability zone", groupSettings.availabilityZone, ...setting, "availabilityZone"),
      ];
    }),
    ...need("network", network.externalNetwork, "network", "externalNetwork"),
    ...need("network", network.network, "network", "network").map((one) => ({
      ...one,
      isAnySubnet: network.subnet === undefined,
    })),
    ...need("subnet", network.subnet, "network", "subnet"),
    ...need("router", network.router, "network", "router"),
    ...need("flavor", bastion?.flavor, "network", "bastion", "flavor"),
    ...need("image", bastion?.image, "network", "bastion", "image").map((one) => ({
      ...one,
      disks: bastion === undefined ? [] : [diskOf(["network", "bastion"], bastion)],
    })),
    ...need("availability zone", bastion?.availabilityZone, "network", "bastion", "availabilityZone"),
  ];
}

function need(kind: CloudNeed["kind"], nameOrId: string | undefined, ...setting: SettingPath): CloudNeed[] {
  return nameOrId === undefined ? [] : [{ kind, name: nameOrId, setting }];
}

function diskOf(
  setting: SettingPath,
  { flavor, rootVolume }: Pick<Machines, "flavor" | "rootVolume">,
): ImageDisk {
  return {
    flavor: { kind: "name", name: flavor },
    ofFlavor: [...setting, "flavor"],
    ...(rootVolume && {
      volume: {
        ...{ name: "root volume", sizeGiB: rootVolume.sizeGiB },
        setting: [...setting, "rootVolume", "sizeGiB"],
      },
    }),
  };
}

function machineNeeds(
  setting: SettingPath,
  { flavor, rootVolume, volumes = [], additionalPorts = [] }: Machines,
): CloudNeed[] {
  const zone = rootVolume?.availabilityZone;
  return [
    ...need("flavor", flavor, ...setting, "flavor"),
    ...need("volume type", rootVolume?.type, ...setting, "rootVolume", "type"),
    ...need("availability zone of volumes", zone, ...setting, "rootVolume", "availabilityZone"),
    ...volumes.flatMap(({ type }, i) => need("volume type", type, ...setting, "volumes", i, "type")),
    ...additionalPorts.flatMap(({ network, subnet }, i) => [
      ...need("network", network, ...setting, "additionalPorts", i, "network"),
      ...need("subnet", subnet, ...setting, "additionalPorts", i, "subnet"),
    ]),
  ];
}
