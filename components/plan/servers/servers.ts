import type { Place } from "../../base/findings";
import { limits, tooLarge } from "../../base/limits";
import { didYouMean, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import { runnable } from "../../base/text";
import type { VnfSettings } from "../../settings/model";
import type { DeploymentFlavour, Vdu } from "../../vnfd/model";
import type { PlannedFlavor, PlannedPlacementGroup, PlannedServer } from "./model";
import { checkLinks } from "./networks";
import { namesOf, planPorts } from "./ports";
import { hasImage, imageOf, planBootVolume, planVolumes, unnamedImages } from "./volumes";

/** Plans the servers of an instance. Records errors, also for a VDU that cannot be created. */
export function planServers(
  instance: string,
  place: Place,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  counts: Readonly<Record<string, number>>,
): PlannedServer[] {
  const withImage = Object.values(flavour.volumes).filter(hasImage);
  const ofImages = [...Object.keys(flavour.vdus), ...withImage.map(({ id }) => id)];
  const what = withImage.length === 0 ? "a VDU" : "a VDU or storage with an image";
  checkKeys(place.get("images"), settings.images, ofImages, what);
  checkKeys(place.get("flavors"), settings.flavors, Object.keys(flavour.vdus), "a VDU");
  checkKeys(place.get("servers"), settings.servers, Object.keys(flavour.vdus), "a VDU");
  checkServerGroups(place, settings, flavour);
  checkKeys(
    place.get("extVirtualLinks"),
    settings.extVirtualLinks,
    linkNames(flavour),
    "an external connection point",
  );
  checkLinks(place, settings, flavour);
  const areServers = isOfServers(settings, flavour);
  const vdus = Object.values(flavour.vdus).map((vdu) => ({ vdu, count: own(counts, vdu.id) ?? 0 }));
  if (areServers && vdus.every(({ count }) => count === 0)) {
    place.fault(
      "nothing to create: each VDU has 0 instances; raise scale, or choose another instantiationLevel",
    );
  }
  const servers = vdus.flatMap(({ vdu, count }) => {
    const image = imageOf(vdu, settings, flavour);
    const unnamed = count === 0 ? [] : unnamedImages(vdu, settings, flavour);
    for (const { id, swImage } of unnamed)
      place
        .get("images", id)
        .fault(`is required because the VNFD has no sw_image_data for the SwImage ${swImage}`);
    if (image === undefined) {
      // if no VDU has an image, the VNF is of another kind
      if (areServers && count > 0 && unnamed.length === 0) place.get("images", vdu.id).fault(NO_IMAGE);
      return [];
    }
    const problem = tooLarge(
      Buffer.byteLength(runnable(vdu.bootData ?? "")),
      limits.bootDataBytes,
      "what fits next to vnfm's own part into the 65535 bytes of base64 that Nova accepts",
    );
    if (problem !== undefined && count > 0)
      place.fault(
        `the user data of VDU ${vdu.id} ${problem}: let it download the rest, for example by #include, or put that into the image`,
      );
    const ports = planPorts(vdu, count, place, settings, flavour);
    const flavor = flavorOf(vdu, place, settings);
    const { availabilityZones, volumeAvailabilityZones, ...common } =
      own(settings.servers ?? {}, vdu.id) ?? {};
    return ports.map((ofServer, i) => ({
      key: `${vdu.id}-${i + 1}`,
      name: dnsLabel(serverText(instance, vdu, i + 1)),
      vdu,
      image,
      bootVolume: planBootVolume(vdu, image, settings, flavour, inTurn(volumeAvailabilityZones, i)),
      flavor,
      availabilityZone: inTurn(availabilityZones, i),
      ...common,
      healToken: settings.heal?.[`${vdu.id}-${i + 1}`] ?? "",
      ports: ofServer,
      volumes: planVolumes(vdu, settings, flavour, inTurn(volumeAvailabilityZones, i)),
    }));
  });
  for (const name of repeated(servers.map((server) => server.name))) {
    const cut = servers
      .filter((server) => server.name === name)
      .map(({ vdu, key }) => lettersOf(serverText(instance, vdu, Number(key.slice(vdu.id.length + 1)))))
      .find(isTooLong);
    const why =
      cut === undefined
        ? "; VDU ids must differ in letters and digits"
        : `: ${cut} is longer than ${LABEL_LENGTH}; shorten the instance name or the VDU id`;
    place.fault(`two servers would have the name ${name}${why}`);
  }
  return servers;
}

/**
 * Returns true for a VDU of servers: it has an image, or needs one in the stack config. A VDU of containers has none.
 */
export function isOfServers(settings: VnfSettings, flavour: DeploymentFlavour): boolean {
  return Object.values(flavour.vdus).some(
    (vdu) =>
      imageOf(vdu, settings, flavour) !== undefined || unnamedImages(vdu, settings, flavour).length > 0,
  );
}

/** Warnings about VDUs with servers whose names would be too long at the maximum number of instances. */
export function tooLongNames(instance: string, place: Place, servers: readonly PlannedServer[]): string[] {
  const vdus = [...new Map(servers.map(({ vdu }) => [vdu.id, vdu])).values()];
  return vdus.flatMap((vdu) => {
    const last = lettersOf(serverText(instance, vdu, vdu.maxInstances));
    return vdu.maxInstances < 2 || !isTooLong(last)
      ? []
      : [
          `${place.text}: VDU ${vdu.id} cannot have its ${vdu.maxInstances} instances: the server name ${last} ` +
            `is longer than ${LABEL_LENGTH}; shorten the instance name or the VDU id`,
        ];
  });
}

/** Nova's server groups for VDUs with servers. */
export function planPlacementGroups(
  servers: readonly PlannedServer[],
  settings: VnfSettings,
  flavour: DeploymentFlavour,
): PlannedPlacementGroup[] {
  return flavour.placementGroups
    .filter(({ vdus }) => servers.some((server) => vdus.includes(server.vdu.id)))
    .map(({ id, policy, vdus }) => ({
      id,
      policy: settings.placementPolicy === "soft" ? (`soft-${policy}` as const) : policy,
      vdus,
    }));
}

/** Converts a text to a DNS label (RFC 1123): lower case letters, digits and hyphens, at most 63. */
export function dnsLabel(text: string): string {
  return lettersOf(text).slice(0, LABEL_LENGTH).replaceAll(/^-|-$/g, "");
}

const LABEL_LENGTH = 63;
const isTooLong = (label: string) => label.length > LABEL_LENGTH;
const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** The text that a server's name is derived from. */
function serverText(instance: string, { id }: Vdu, ordinal: number): string {
  return `${instance}-${id}-${ordinal}`;
}

/** The entry for the server with that index, from 0; the list repeats from its beginning. */
function inTurn(entries: readonly string[] | undefined, server: number): string | undefined {
  return entries?.[server % entries.length];
}

/** Records VDUs in several server groups, as a server may be in one only. */
function checkServerGroups(
  place: Place,
  { servers = {} }: VnfSettings,
  { placementGroups }: DeploymentFlavour,
): void {
  for (const [vdu, { schedulerHints }] of Object.entries(servers)) {
    const group = placementGroups.find(({ vdus }) => vdus.includes(vdu));
    if (group !== undefined && schedulerHints?.group !== undefined) {
      place
        .get("servers", vdu, "schedulerHints", "group")
        .fault(
          `VDU ${vdu} is already in ${group.id} of the VNFD, and a server can be in only one group; remove it`,
        );
    }
  }
}

const NO_IMAGE =
  "is required because neither the VDU nor a storage that it requires has an image in the VNFD";

function flavorOf(vdu: Vdu, place: Place, settings: VnfSettings): PlannedFlavor {
  const name = own(settings.flavors ?? {}, vdu.id) ?? vdu.flavor;
  if (name !== undefined) return { kind: "name", name };
  if (vdu.vcpus === undefined || vdu.memoryMiB === undefined) {
    place
      .get("flavors", vdu.id)
      .fault("is required because the VNFD has neither a flavor nor cpu and memory");
  }
  const { vcpus = 0, memoryMiB: ramMiB = 0, diskGiB = 0, extraSpecs } = vdu;
  return { kind: "size", vcpus, ramMiB, diskGiB, ...(extraSpecs && { extraSpecs }) };
}

function linkNames(flavour: DeploymentFlavour): string[] {
  const ofServers = Object.values(flavour.connectionPoints).flatMap((cp) => namesOf(cp, flavour));
  return [...new Set([...ofServers, ...Object.keys(flavour.virtualIps)])];
}

function checkKeys(
  place: Place,
  setting: Readonly<Record<string, unknown>> | undefined,
  known: readonly string[],
  what: string,
): void {
  const names = Object.keys(setting ?? {});
  for (const name of names) {
    if (!known.includes(name)) {
      place.get(name).fault(`is not ${what} of the VNFD; ${oneOf(known)}${didYouMean(name, known, names)}`);
    }
  }
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}
