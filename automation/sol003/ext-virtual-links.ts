import { fields, isFields, items, text } from "../../components/kube/objects/object";
import { combined } from "../conversion/taken";
import type { Settings } from "../conversion/conversion";

/**
 * Converts the networks of an InstantiateVnfRequest, which lists connection points by network, to extVirtualLinks of
 * the stack config, a map by connection point.
 * @param external `extVirtualLinks`: list of ExtVirtualLinkData (SOL003 V3.3.1, 4.4.1.11)
 * @param managed `extManagedVirtualLinks`: list of ExtManagedVirtualLinkData (4.4.1.12)
 */
export function extVirtualLinks(external: unknown, managed: unknown): Settings {
  return combined([
    ...items(external).map((link) => ofExternal(link)),
    ...items(managed).map((link) => ofManaged(link)),
  ]);
}

function ofExternal(link: unknown): Settings {
  const { resourceId, extCps, extLinkPorts } = fields(link);
  const ports = items(extLinkPorts).length > 0;
  return combined([
    ...items(extCps).map((cp) => ofConnectionPoint(text(resourceId) ?? "", cp)),
    ports
      ? { settings: {}, remarks: ["extLinkPorts: vnfm creates the ports, and uses none that exist"] }
      : undefined,
  ]);
}

function ofConnectionPoint(network: string, cp: unknown): Settings {
  const { cpdId, cpConfig } = fields(cp);
  const name = text(cpdId) ?? "";
  // a list up to SOL003 V2.6, a map after it
  const configs = isFields(cpConfig) ? Object.values(cpConfig) : items(cpConfig);
  const ethernet = configs
    .flatMap((config) => items(fields(config)["cpProtocolData"]))
    .map((data) => fields(fields(data)["ipOverEthernet"]));
  const addresses = ethernet.flatMap((data) => items(data["ipAddresses"])).map((one) => fields(one));
  const fixed = addresses.flatMap((one) => items(one["fixedAddresses"]));
  const subnets = [...new Set(addresses.flatMap((one) => text(one["subnetId"]) ?? []))];
  const at = `extVirtualLinks.${name}`;
  return {
    settings: {
      extVirtualLinks: {
        [name]: {
          network,
          ...(subnets.length === 1 && { subnet: subnets[0] }),
          ...(fixed.length > 0 && { fixedAddresses: fixed }),
        },
      },
    },
    remarks: [
      ...(subnets.length > 1 ? [`${at}: one subnet is possible, not ${subnets.join(", ")}`] : []),
      ...(ethernet.some((data) => text(data["macAddress"]) !== undefined)
        ? [`${at}: macAddress has no setting: Neutron chooses it`]
        : []),
      ...(configs.some((config) => text(fields(config)["linkPortId"]) !== undefined)
        ? [`${at}: linkPortId has no setting: vnfm creates the ports`]
        : []),
    ],
  };
}

function ofManaged(link: unknown): Settings {
  const { vnfVirtualLinkDescId, virtualLinkDescId, resourceId } = fields(link);
  const name = text(vnfVirtualLinkDescId) ?? text(virtualLinkDescId) ?? "";
  return { settings: { extVirtualLinks: { [name]: { network: text(resourceId) ?? "" } } }, remarks: [] };
}
