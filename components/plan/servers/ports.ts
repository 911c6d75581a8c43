import { isIP } from "node:net";
import type { Place } from "../../base/findings";
import { oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { ExtVirtualLink, PortSettings, VnfSettings } from "../../settings/model";
import type { DeploymentFlavour, Vdu, VduCp } from "../../vnfd/model";
import type { PlannedPort } from "./model";
import { linkOf } from "./networks";

/** The settings of an entry of extVirtualLinks for ports of servers. */
export const OF_PORTS = [
  "fixedAddresses",
  "allowedAddressPairs",
  "securityGroups",
  "portSecurity",
  "vnicType",
  "bindingProfile",
  "qosPolicy",
  "tags",
] as const satisfies readonly (keyof PortSettings)[];

/** VNIC types other than `normal` that the OpenStack provider accepts. */
const VNIC_TYPES = ["baremetal", "direct", "direct-physical", "macvtap", "virtio-forwarder"];

/** The ports of a VDU's servers, a list for each of them. */
export function planPorts(
  vdu: Vdu,
  count: number,
  place: Place,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
): PlannedPort[][] {
  const ofVdu = Object.values(flavour.connectionPoints)
    .filter((cp) => cp.vdu === vdu.id)
    .sort((a, b) => a.order - b.order)
    .map((cp) => {
      const extLink = entryOf(cp, settings, flavour)?.extLink;
      const port = {
        connectionPoint: cp.id,
        ...(extLink && portSettingsOf(extLink)),
        vnicType: extLink?.vnicType === undefined ? vnicTypeOf(cp, vdu, place) : ordinary(extLink.vnicType),
        floatingNetwork: extLink?.floatingNetwork,
      };
      if (extLink !== undefined) return { ...port, link: linkOf(extLink) };
      const { virtualLink } = cp;
      if (virtualLink !== undefined && own(flavour.virtualLinks, virtualLink) !== undefined)
        return { ...port, link: { kind: "internal" as const, virtualLink } };
      const why =
        virtualLink === undefined
          ? "is external"
          : `is on ${virtualLink}, which is not a virtual link of the VNFD`;
      place
        .get("extVirtualLinks", cp.externalLink ?? cp.id)
        .fault(`is required, connection point ${cp.id} of VDU ${vdu.id} ${why}`);
      return { ...port, link: { kind: "internal" as const, virtualLink: "" } };
    });
  return Array.from({ length: count }, (_, i) => ofVdu.map((port) => portOfServer(port, i)));
}

/** The entry of extVirtualLinks for a connection point, and its key. */
export function entryOf(
  cp: VduCp,
  { extVirtualLinks = {} }: VnfSettings,
  flavour: DeploymentFlavour,
): { readonly name: string; readonly extLink: ExtVirtualLink } | undefined {
  const name = namesOf(cp, flavour).find((one) => own(extVirtualLinks, one) !== undefined);
  const extLink = name === undefined ? undefined : own(extVirtualLinks, name);
  return name === undefined || extLink === undefined ? undefined : { name, extLink };
}

/** The keys of extVirtualLinks that may set the network of a connection point. */
export function namesOf(cp: VduCp, flavour: DeploymentFlavour): string[] {
  const link = cp.virtualLink === undefined ? undefined : own(flavour.virtualLinks, cp.virtualLink);
  return [cp.id, cp.externalLink, link?.id, link?.externalLink].filter((name) => name !== undefined);
}

/** The addresses of one IP version, in their order: the first one is for the first server. */
export function ofVersion(addresses: readonly string[], version: 4 | 6): readonly string[] {
  return addresses.filter((address) => isIP(address) === version);
}

/** The settings of an entry for ports, without those for their network. */
function portSettingsOf(extLink: ExtVirtualLink): PortSettings {
  return Object.fromEntries(
    OF_PORTS.filter((key) => extLink[key] !== undefined).map((key) => [key, extLink[key]]),
  );
}

/** The port of the server with that index, from 0, with its share of the fixed addresses. */
function portOfServer(port: PlannedPort, server: number): PlannedPort {
  const { fixedAddresses } = port;
  if (fixedAddresses === undefined) return port;
  const ofServer = ([4, 6] as const).flatMap((version) => ofVersion(fixedAddresses, version)[server] ?? []);
  return { ...port, fixedAddresses: ofServer };
}

function vnicTypeOf({ id, vnicType }: VduCp, vdu: Vdu, place: Place): string | undefined {
  // virtio in a VNFD is Neutron's normal
  if (vnicType === undefined || vnicType === "virtio") return undefined;
  if (vnicType !== "normal" && !VNIC_TYPES.includes(vnicType)) {
    place.fault(
      `connection point ${id} of VDU ${vdu.id} has the vnic_type ${vnicType} in the VNFD; ` +
        `${oneOf(["normal", "virtio", ...VNIC_TYPES])}`,
    );
  }
  return ordinary(vnicType);
}

/** The VNIC type; undefined for Neutron's default. */
function ordinary(vnicType: string): string | undefined {
  return vnicType === "normal" ? undefined : vnicType;
}
