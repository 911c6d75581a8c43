import { own } from "../../base/own";
import type { ExtVirtualLink, VnfSettings } from "../../settings/model";
import { isUuid } from "../../base/uuid";
import type { DeploymentFlavour } from "../../vnfd/model";
import type { CloudNeed, ImageDisk, ServerNeed, SettingPath } from "../cloud-need";
import { virtualLinkOf } from "../link";
import type { PlannedNetwork, PlannedServer, PlannedVolume } from "./model";
import { entryOf } from "./ports";

/** Resources of the cloud that the servers of an instance need, each with the setting that names it. */
export function serverNeeds(
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  servers: readonly PlannedServer[],
  networks: readonly PlannedNetwork[],
): ServerNeed[] {
  const ofVdus = byVdu(servers);
  const needs = [
    ...ofVdus.flatMap(imageNeeds),
    ...Object.entries(settings.extVirtualLinks ?? {}).flatMap(([name, extLink]) =>
      linkNeeds(name, extLink, serversOn(name, settings, flavour, servers)),
    ),
    ...networks.flatMap((network) => routerNeeds(network, servers)),
    ...ofVdus.flatMap((ofVdu) => zoneNeeds(ofVdu, settings)),
    ...volumeTypeNeeds(servers),
  ];
  return needs.filter(({ servers: of }) => of.length > 0);
}

interface ServersOfVdu {
  /** Id of the VDU. */
  readonly vdu: string;
  readonly servers: readonly PlannedServer[];
}

function byVdu(servers: readonly PlannedServer[]): ServersOfVdu[] {
  const vdus = [...new Set(servers.map(({ vdu }) => vdu.id))];
  return vdus.map((vdu) => ({ vdu, servers: servers.filter((server) => server.vdu.id === vdu) }));
}

/** The images of the servers of a VDU, which are alike, and those of their volumes. */
function imageNeeds({ vdu, servers }: ServersOfVdu): ServerNeed[] {
  const [first] = servers;
  if (first === undefined) return [];
  const { image, flavor, bootVolume, volumes } = first;
  const need = (name: string, part: string, volume?: PlannedVolume): ServerNeed => {
    const ofFlavor = { flavor, ofFlavor: ["flavors", vdu] };
    const disk: ImageDisk =
      volume === undefined
        ? ofFlavor
        : {
            ...ofFlavor,
            volume: { name: `volume ${volume.storage}`, sizeGiB: volume.sizeGiB, setting: [] },
          };
    return {
      ...{ kind: "image", name, setting: ["images", part], isOfPlugin: true },
      ...{ servers: namesOf(servers), disks: [disk] },
    };
  };
  return [
    need(image, vdu, bootVolume),
    ...volumes.flatMap((volume) =>
      volume.image === undefined ? [] : [need(volume.image, volume.storage, volume)],
    ),
  ];
}

/** A resource of the cloud that each run looks up if the setting has its name. */
function named(
  kind: CloudNeed["kind"],
  nameOrId: string | undefined,
  setting: SettingPath,
  servers: readonly string[],
): ServerNeed[] {
  return nameOrId === undefined
    ? []
    : [{ kind, name: nameOrId, setting, servers, isLookedUp: !isUuid(nameOrId) }];
}

function linkNeeds(
  name: string,
  { network, subnet, floatingNetwork, securityGroups = [], qosPolicy }: ExtVirtualLink,
  servers: readonly string[],
): ServerNeed[] {
  const at = ["extVirtualLinks", name];
  return [
    ...named("network", network, [...at, "network"], servers),
    ...named("subnet", subnet, [...at, "subnet"], servers).map((need) => ({
      ...need,
      isById: true,
      isLookedUp: false,
    })),
    ...named("network", floatingNetwork, [...at, "floatingNetwork"], servers).map((need) => ({
      ...need,
      isLookedUp: true,
    })),
    ...securityGroups.flatMap((group, i) =>
      named("security group", group, [...at, "securityGroups", i], servers),
    ),
    ...named("QoS policy", qosPolicy, [...at, "qosPolicy"], servers),
  ];
}

/** Names of the servers whose ports, or whose shared address, an entry of extVirtualLinks configures. */
function serversOn(
  entry: string,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  servers: readonly PlannedServer[],
): string[] {
  const points =
    own(flavour.virtualIps, entry)?.targets ??
    Object.values(flavour.connectionPoints)
      .filter((cp) => entryOf(cp, settings, flavour)?.name === entry)
      .map(({ id }) => id);
  return namesOf(
    servers.filter(({ ports }) => ports.some(({ connectionPoint }) => points.includes(connectionPoint))),
  );
}

function routerNeeds(
  { virtualLink, router }: PlannedNetwork,
  servers: readonly PlannedServer[],
): ServerNeed[] {
  const of = namesOf(
    servers.filter(({ ports }) => ports.some(({ link }) => virtualLinkOf(link) === virtualLink)),
  );
  const at = ["virtualLinks", virtualLink, "router"];
  switch (router?.kind) {
    case "existing":
      return named("router", router.router, at, of);
    case "made":
      return named("network", router.externalNetwork, [...at, "externalNetwork"], of);
    case undefined:
      return [];
  }
}

/** The zones of the servers of a VDU and of their volumes. Existing servers no longer need them. */
function zoneNeeds({ vdu, servers }: ServersOfVdu, settings: VnfSettings): ServerNeed[] {
  const { availabilityZones = [], volumeAvailabilityZones = [] } = own(settings.servers ?? {}, vdu) ?? {};
  const at = ["servers", vdu];
  return [
    ...availabilityZones.map((zone, i) => ({
      kind: "availability zone" as const,
      // the name of a host of the zone may follow
      name: zone.split(":")[0] ?? zone,
      setting: [...at, "availabilityZones", i],
      servers: namesOf(servers.filter(({ availabilityZone }) => availabilityZone === zone)),
    })),
    ...volumeAvailabilityZones.map((zone, i) => ({
      kind: "availability zone of volumes" as const,
      name: zone,
      setting: [...at, "volumeAvailabilityZones", i],
      servers: withVolume(servers, ({ availabilityZone }) => availabilityZone === zone),
    })),
  ];
}

/** The types of volumes, which are named by the VNFD only, not by a setting. */
function volumeTypeNeeds(servers: readonly PlannedServer[]): ServerNeed[] {
  const types = new Set(
    servers.flatMap((server) => volumesOf(server).flatMap((one) => one.volumeType ?? [])),
  );
  return [...types].map((type) => ({
    kind: "volume type",
    name: type,
    setting: [],
    servers: withVolume(servers, ({ volumeType }) => volumeType === type),
  }));
}

/** Names of the servers with a volume that fulfils a condition. */
function withVolume(
  servers: readonly PlannedServer[],
  isOfSort: (volume: PlannedVolume) => boolean,
): string[] {
  return namesOf(servers.filter((server) => volumesOf(server).some(isOfSort)));
}

function volumesOf({ bootVolume, volumes }: PlannedServer): readonly PlannedVolume[] {
  return [...(bootVolume ? [bootVolume] : []), ...volumes];
}

const namesOf = (servers: readonly PlannedServer[]): string[] => servers.map(({ name }) => name);
