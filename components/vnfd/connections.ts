import type { At } from "./at";
import type { VduCp, VipCp, VirtualLink } from "./model";
import { requirements } from "./nodes";
import { targetNameIfAny } from "./policies";
import { readSubnets } from "./subnets";
import type { BaseType, NodeTemplate } from "./types";

/** Reads a VduCp (SOL001 6.8.8). Its external link comes from the substitution mappings. */
export function readVduCp(template: NodeTemplate, external: ReadonlyMap<string, string>): VduCp {
  return {
    id: template.name,
    vdu: bindingsOf(template)[0]?.requiredText(),
    order: template.property("order").count() ?? 0,
    vnicType: template.property("vnic_type").text(),
    virtualLink: requirements(template, "virtual_link")[0]?.text(),
    externalLink: external.get(template.name),
  };
}

/**
 * The bindings of a connection point to a VDU. Some packages use a requirement of another name for a VDU of containers.
 */
const bindingsOf = (template: NodeTemplate) =>
  ["virtual_binding", "container_binding"].flatMap((name) => requirements(template, name));

/**
 * Warns about connection points without a VDU, which no server has: in SOL001 the binding is optional.
 */
export function warnOfUnbound(cps: readonly NodeTemplate[]): void {
  for (const cp of cps.filter((one) => bindingsOf(one).length === 0))
    cp.at.get("requirements").get("virtual_binding").warn("is missing: no server has a port of it");
}

/** Warns about further bindings of a connection point: only the first is read, because a port has one server. */
export function warnOfFurtherBindings(cps: readonly NodeTemplate[]): void {
  for (const [first, ...more] of cps.map(bindingsOf))
    for (const binding of more)
      if (binding.text() !== first?.text())
        binding.warn(`is ignored: the connection point is bound to ${first?.text()} already`);
}

/** Values of a VipCp's function for load balancing: releases of SOL001 differ. */
const LOAD_BALANCING = ["load_balance", "load_balancing"];

/** Reads a VipCp (SOL001 6.8.16). */
export function readVipCp(template: NodeTemplate): VipCp {
  const targets = requirements(template, "target");
  if (targets.length === 0) template.at.get("requirements").get("target").missing();
  const place = template.property("vip_function");
  const vipFunction = place.text() ?? "high_availability";
  if (vipFunction !== "high_availability" && !LOAD_BALANCING.includes(vipFunction)) {
    place.fault(`"${vipFunction}" is not a function of a VIP; one of high_availability, load_balance`);
  }
  return {
    id: template.name,
    targets: targets.map((target) => target.requiredText()),
    vipFunction: LOAD_BALANCING.includes(vipFunction) ? "load_balance" : "high_availability",
  };
}

/** Reads a VnfVirtualLink (SOL001 6.8.9). */
export function readVirtualLink(template: NodeTemplate, external: ReadonlyMap<string, string>): VirtualLink {
  const profile = template.property("vl_profile");
  const data = profile.get("virtual_link_protocol_data");
  const entries = data.isList ? data.items() : [data];
  const l2 = (key: string) => entries.map((entry) => entry.get("l2_protocol_data").get(key));
  const mtus = l2("mtu").map((at) => at.count());
  const transparent = l2("vlan_transparent").map((at) => at.boolean());
  return {
    id: template.name,
    subnets: readSubnets(entries),
    // a network has one MTU, even if it is declared next to several layer 3 protocols
    mtu: mtus.find((mtu) => mtu !== undefined),
    vlanTransparent: transparent.includes(true),
    externalLink: external.get(template.name),
  };
}

/**
 * Maps node templates to the requirement of the VNF that exposes them (substitution mappings, TOSCA 3.8.13): `name: [
 * node, requirement ]`, a list of such pairs, or no pair at all. A VnfExtCp (SOL001 6.8.2) passes the mapping on to its
 * internal link.
 */
export function externalLinks(
  mappings: At,
  templates: ReadonlyMap<string, NodeTemplate>,
): Map<string, string> {
  const links = new Map<string, string>();
  const namesOf = (...kinds: BaseType[]) =>
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

/** Reads mapped nodes to the depth that TOSCA allows: in YAML a list may contain itself. */
function mappedNodes(value: At, depth = 0): At[] {
  if (!value.exists || depth > 2) return [];
  if (value.isText) return [value];
  if (!value.isList) return mappedNodes(value.get("mapping"), depth + 1);
  const items = value.items();
  if (items[0]?.isText) return [items[0]];
  return items.flatMap((item) => mappedNodes(item, depth + 1));
}
