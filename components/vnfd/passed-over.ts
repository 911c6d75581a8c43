import type { At } from "./at";
import { faultLine } from "./model";
import { isNeedless, reasonFor } from "./needless";
import { requirements } from "./nodes";
import type { Policy } from "./policies";
import type { NodeTemplate } from "./types";

/** Sections of a topology template that have no effect, or whose entries are listed one by one. */
const SECTIONS = [
  ...["node_templates", "policies", "groups"],
  ...["description", "inputs", "outputs", "substitution_mappings"],
];

/**
 * Lists the properties of a topology template that no reader has read, one per line, so that nothing of a VNFD is
 * ignored silently. This includes properties of later releases of SOL001 and of vendors. Must be called after all
 * readers.
 */
export function passedOver(
  topology: At,
  templates: ReadonlyMap<string, NodeTemplate>,
  policies: readonly Policy[],
): string[] {
  const groups = topology.get("groups");
  const others = topology.keys().filter((key) => !SECTIONS.includes(key));
  const all = [...templates.values()];
  const ofServers = all.filter(({ kind }) => kind === "VduCp");
  const links = new Set(ofServers.flatMap((cp) => requirements(cp, "virtual_link").map((at) => at.text())));
  const required = new Set(all.flatMap((one) => requirements(one, "virtual_storage").map((at) => at.text())));
  const targets = new Set(policies.flatMap((policy) => policy.targets.map((target) => target.text())));
  const needless = (template: NodeTemplate): string | undefined =>
    template.kind === "VnfVirtualLink" && !links.has(template.name)
      ? "no connection point is on it, so no network is created"
      : template.kind === "Vdu.VirtualBlockStorage" && !required.has(template.name)
        ? "no VDU requires it, so no volume is created"
        : undefined;
  return linesOf([
    ...all.flatMap((template) => {
      const reason = needless(template);
      return reason === undefined ? inTemplate(template) : [{ at: template.at, property: "", reason }];
    }),
    ...policies.flatMap(inPolicy),
    ...entries(groups).flatMap(([name, at]) =>
      targets.has(name)
        ? unread(parts(at.named(name)), "")
        : [{ at: at.named(name), property: "", reason: "no AffinityRule or AntiAffinityRule refers to it" }],
    ),
    ...unread(
      others.map((key) => topology.get(key)),
      "",
    ),
  ]);
}

/** A place that was not read. */
interface Finding {
  readonly at: At;
  /** Property that the finding is about; empty for a whole node template or policy. */
  readonly property: string;
  readonly reason: string;
}

function inTemplate({ at, base, kind, properties }: NodeTemplate): Finding[] {
  const isWithoutChart = kind === "Mciop" && !at.get("artifacts").exists;
  if (kind === "other" || isWithoutChart) return whole(at, base, "node template");
  const places = at.keys().flatMap((key) => {
    if (key === "properties") return [];
    if (key === "capabilities") return at.get(key).children().flatMap(parts);
    return entries(at.get(key)).map(([, part]) => part);
  });
  return unread([...properties(), ...places], base);
}

function inPolicy({ at, base, kind }: Policy): Finding[] {
  return kind === undefined ? whole(at, base, "policy") : unread(parts(at), base);
}

function whole(at: At, base: string, what: string): Finding[] {
  if (isNeedless(base, "", undefined)) return [];
  const type = at.get("type");
  return [{ at: type, property: "", reason: `a ${what} of the type ${type.text()} is not supported` }];
}

function unread(places: readonly At[], base: string): Finding[] {
  return places.flatMap((place) => {
    const isNothing = (at: At, value: unknown) => isNeedless(base, pathOf(at, place), value);
    const found = place.unread(isNothing);
    // a script or a driver has an operation of the interface or several, and an artifact is a file
    const isWhole = /^(interfaces|artifacts)[.[]/.test(place.property) && found.length > 0;
    return (isWhole ? [place] : found).map((at) => {
      const property = pathOf(at, place);
      return { at, property, reason: reasonFor(property) };
    });
  });
}

/**
 * Returns the path of a property without list indexes. For a value from a type's default it is the path in the type.
 * @param place of the property, which may be in the default of a type
 */
function pathOf({ property }: At, place: At): string {
  const own = /^properties\.[^.]+\.default$/.test(place.property)
    ? place.property.replace(/\.default$/, "") + property.slice(place.property.length)
    : property;
  return own.replaceAll(/\[\d+\]/g, "");
}

/** The places in a node template, policy or group: each property, and each other key. */
function parts(at: At): At[] {
  return at.keys().flatMap((key) => (key === "properties" ? at.get(key).children() : [at.get(key)]));
}

/** Keys and places of a map, or of all maps in a list. */
function entries(at: At): [string, At][] {
  return (at.isList ? at.children() : [at]).flatMap((map) =>
    map.keys().map((key) => [key, map.get(key)] as [string, At]),
  );
}

/** Returns one warning for all node templates with the same property, at the line of the first. */
function linesOf(findings: readonly Finding[]): string[] {
  const lines = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.property, finding.reason]);
    const line = lines.get(key);
    if (line === undefined) lines.set(key, [finding]);
    else line.push(finding);
  }
  return [...lines.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { at, property, reason } = first;
    const node = [...new Set([first, ...more].map((finding) => finding.at.node))].join(", ");
    return [faultLine({ ...at.finding(reason), node, ...(property === "" && { property }) })];
  });
}
