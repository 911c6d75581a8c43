import { posix } from "node:path";
import type { At } from "./at";
import type { Types } from "./types";

/** What is said after the name of something else. */
export const WHAT_IS_READ = "what is read is a VNFD of SOL001, which is a TOSCA service template";

type Keys = ReadonlyMap<string, string>;

/** What others keep where a VNFD is, with the keys at the top of its YAML by which it is known. */
const FORMATS: readonly (readonly [what: string, is: (keys: Keys, file: string) => boolean])[] = [
  ["a Heat template", (keys) => keys.has("heat_template_version")],
  ["an NSD of OSM (SOL006)", (keys) => has(keys, "nsd", "nsd-catalog", "nsd:nsd-catalog")],
  [
    "a VNFD of OSM (SOL006)",
    (keys) => has(keys, "vnfd", "vnfd-catalog", "vnfd:vnfd-catalog", "nfv", "etsi-nfv-descriptors:nfv"),
  ],
  ["a descriptor of 5GTANGO", (keys) => has(keys, "descriptor_schema", "virtual_deployment_units")],
  ["a kustomization", (_, file) => /^kustomization\.ya?ml$/i.test(posix.basename(file))],
  ["a Kubernetes manifest", (keys) => keys.has("apiVersion") && keys.has("kind")],
  ["the Chart.yaml of a Helm chart", (keys) => keys.has("apiVersion") && keys.has("version")],
];

const has = (keys: Keys, ...names: readonly string[]) => names.some((name) => keys.has(name));

/** What a file is that stands in the place of a VNFD and is none. Undefined: it may be one. */
export function otherFormat(file: string, content: Buffer): string | undefined {
  if (content.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return "a zip";
  // by its lines, as a file of other software may be several documents, or YAML that only that software reads
  const lines = content.toString("utf8").matchAll(/^["']?([\w:-]+)["']?:(?:[ \t]+(.*))?$/gm);
  const keys = new Map([...lines].map(([, key = "", value = ""]) => [key, value]));
  const version = keys.get("tosca_definitions_version");
  if (version?.includes("tosca_simple_profile_for_nfv")) return "a VNFD of the old NFV profile of TOSCA";
  if (version !== undefined) return undefined;
  return FORMATS.find(([, is]) => is(keys, file))?.[0];
}

/** A descriptor of a network service or of a PNF, which is TOSCA too: what it is, and the place that tells it. */
export function otherDescriptor(roots: readonly At[], types: Types): { what: string; at: At } | undefined {
  const places = roots.flatMap((root) => {
    const topology = root.get("topology_template");
    const templates = topology.get("node_templates").children();
    return [topology.get("substitution_mappings").get("node_type"), ...templates.map((at) => at.get("type"))];
  });
  const of = (base: string, what: string) => {
    const at = places.find((type) => type.isText && types.nodeBase(type.text() ?? "") === base);
    return at && { what, at };
  };
  return of("tosca.nodes.nfv.NS", "an NSD") ?? of("tosca.nodes.nfv.PNF", "a PNFD");
}
