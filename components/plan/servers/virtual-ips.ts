import { isDeepStrictEqual } from "node:util";
import { isSameAddress } from "../../base/net/cidr";
import type { Place } from "../../base/findings";
import { own } from "../../base/own";
import type { ExtVirtualLink, VnfSettings } from "../../settings/model";
import type { DeploymentFlavour } from "../../vnfd/model";
import type { PlannedServer, PlannedVirtualIp } from "./model";
import { linkOf } from "./networks";
import { OF_PORTS, ofVersion } from "./ports";

/** The virtual IPs of connection points that servers have; each is on the network of its first target. */
export function planVirtualIps(
  servers: readonly PlannedServer[],
  place: Place,
  { extVirtualLinks = {} }: VnfSettings,
  flavour: DeploymentFlavour,
): PlannedVirtualIp[] {
  const ports = servers.flatMap((server) => server.ports);
  return Object.values(flavour.virtualIps).flatMap(({ id, targets }) => {
    const port = ports.find(({ connectionPoint }) => targets.includes(connectionPoint));
    if (port === undefined) return [];
    const extLink = own(extVirtualLinks, id);
    if (extLink !== undefined && !isDeepStrictEqual(linkOf(extLink), port.link)) {
      place
        .get("extVirtualLinks", id)
        .fault(
          `is on another network than ${port.connectionPoint}, whose servers have the address; set the same as for ${port.connectionPoint}`,
        );
    }
    const { floatingNetwork, fixedAddresses = [] } = extLink ?? {};
    return [{ connectionPoint: id, link: port.link, targets, floatingNetwork, fixedAddresses }];
  });
}

/** Records settings of extVirtualLinks that a virtual IP cannot have. */
export function checkVirtualIp(at: Place, extLink: ExtVirtualLink): void {
  for (const key of OF_PORTS.filter((one) => one !== "fixedAddresses" && extLink[one] !== undefined)) {
    at.get(key).fault("is for ports of servers, and this is an address that they share; remove it");
  }
  for (const version of [4, 6] as const) {
    const { length } = ofVersion(extLink.fixedAddresses ?? [], version);
    if (length > 1)
      at.get("fixedAddresses").fault(
        `servers share one address of each IP version, but ${length} IPv${version} addresses are set; keep one`,
      );
  }
}

/**
 * The error about a virtual IP that was created with other addresses than those of the stack config; undefined if it
 * has these.
 * @param name of the virtual IP in the stack
 * @param addresses current ones
 */
export function keptAddressFault(
  name: string,
  { connectionPoint, fixedAddresses }: PlannedVirtualIp,
  addresses: readonly string[],
): string | undefined {
  if (fixedAddresses.every((requested) => addresses.some((one) => isSameAddress(one, requested))))
    return undefined;
  return (
    `the virtual IP ${name} has ${addresses.join(", ")}, and fixedAddresses of extVirtualLinks.${connectionPoint} ` +
    `are ${fixedAddresses.join(", ")}: it cannot change, because the certificates, the kubeconfigs and ` +
    "the nodes of a cluster contain it; set that, or terminate the instance first"
  );
}
