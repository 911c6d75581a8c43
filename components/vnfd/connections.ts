import { overlap, parseAddress, parseCidr } from "../cidr";
import type { At } from "./at";
import type { VduCp, VipCp, VirtualLink } from "./model";
import { requirements } from "./nodes";
import { targetNameIfAny } from "./policies";
import type { Kind, NodeTemplate } from "./types";

/** SOL001 6.8.8; which links it has outside the VNF is filled in from the substitution mappings. */
export function readVduCp(template: NodeTemplate, external: ReadonlyMap<string, string>): VduCp {
  const binding = requirements(template, "virtual_binding")[0];
  if (binding === undefined) template.at.get("requirements").get("virtual_binding").missing();
  return {
    id: template.name,
    vdu: binding?.requiredText() ?? "",
    order: template.property("order").count() ?? 0,
    vnicType: template.property("vnic_type").text(),
    virtualLink: requirements(template, "virtual_link")[0]?.text(),
    externalLink: external.get(template.name),
  };
}

/** SOL001 6.8.16. */
export function readVipCp(template: NodeTemplate): VipCp {
  const targets = requirements(template, "target");
  if (targets.length === 0) template.at.get("requirements").get("target").missing();
  const place = template.property("vip_function");
  const vipFunction = place.text() ?? "high_availability";
  if (vipFunction !== "high_availability" && vipFunction !== "load_balancing") {
    place.fault(`"${vipFunction}" is no function of a VIP; one of high_availability, load_balancing`);
  }
  return {
    id: template.name,
    targets: targets.map((target) => target.requiredText()),
    vipFunction: vipFunction === "load_balancing" ? vipFunction : "high_availability",
  };
}

/** SOL001 6.8.9. */
export function readVirtualLink(template: NodeTemplate, external: ReadonlyMap<string, string>): VirtualLink {
  const profile = template.property("vl_profile");
  const data = profile.get("virtual_link_protocol_data");
  const l3 = (data.isList ? data.items() : [data])
    .map((d) => d.get("l3_protocol_data"))
    .flatMap((d) => (d.isList ? d.items() : [d]))
    .find((d) => d.exists);
  const { cidr, gatewayIp } = l3 === undefined ? {} : readSubnet(l3);
  return {
    id: template.name,
    cidr,
    gatewayIp,
    dhcpEnabled: l3?.get("dhcp_enabled").boolean() ?? true,
    externalLink: external.get(template.name),
  };
}

/** What Neutron would refuse in the middle of a run is a fault; a block that is written with host bits is one without. */
function readSubnet(l3: At): Partial<Pick<VirtualLink, "cidr" | "gatewayIp">> {
  const [cidrAt, gatewayAt] = [l3.get("cidr"), l3.get("gateway_ip")];
  const [cidr, gatewayIp] = [cidrAt, gatewayAt].map((at) => at.text());
  const block = cidr === undefined ? undefined : parseCidr(cidr);
  const address = gatewayIp === undefined ? undefined : parseAddress(gatewayIp);
  if (cidr !== undefined && block === undefined) {
    cidrAt.fault(`${cidrAt.shown()} is no CIDR; write an address and a prefix length, such as 10.9.0.0/24`);
  }
  if (gatewayIp !== undefined && address === undefined) {
    gatewayAt.fault(`${gatewayAt.shown()} is no IP address`);
  }
  if (block !== undefined && address !== undefined && !overlap(block, address)) {
    gatewayAt.fault(`${gatewayIp} is not in ${block.text}, the cidr`);
  }
  return { cidr: block?.text, gatewayIp };
}

/**
 * Which requirement of the VNF exposes which node template (substitution mappings, TOSCA 3.8.13):
 * `name: [ node, requirement ]`, a list of such pairs, or no pair at all. A VnfExtCp (SOL001 6.8.2)
 * hands the mapping on to the internal link that it is connected to.
 */
export function externalLinks(
  mappings: At,
  templates: ReadonlyMap<string, NodeTemplate>,
): Map<string, string> {
  const links = new Map<string, string>();
  const namesOf = (...kinds: Kind[]) =>
    [...templates.values()].filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const mapped = mappings
    .get("requirements")
    .namedItems()
    .flatMap(([requirement, value]) => mappedNodes(value).map((node) => ({ requirement, node })));
  for (const { requirement, node } of mapped) {
    const template = templates.get(node.requiredText());
    if (template === undefined) {
      const known = namesOf("VduCp", "VipCp", "VnfExtCp", "VnfVirtualLink");
      const beside = mapped.map((other) => other.node);
      targetNameIfAny(node, "connection point or virtual link", known, beside);
      continue;
    }
    if (!links.has(template.name)) links.set(template.name, requirement);
    if (template.kind !== "VnfExtCp") continue;
    for (const link of requirements(template, "internal_virtual_link")) {
      const name = targetNameIfAny(link, "virtual link", namesOf("VnfVirtualLink"), []);
      if (name !== undefined) links.set(name, requirement);
    }
  }
  return links;
}

/** Not deeper than TOSCA has it: YAML lets a list contain itself. */
function mappedNodes(value: At, depth = 0): At[] {
  if (!value.exists || depth > 2) return [];
  if (value.isText) return [value];
  if (!value.isList) return mappedNodes(value.get("mapping"), depth + 1);
  const items = value.items();
  if (items[0]?.isText) return [items[0]];
  return items.flatMap((item) => mappedNodes(item, depth + 1));
}
