import { posix } from "node:path";
import { isMap, isScalar, parseDocument } from "../base/yaml/yaml";
import type { At } from "./at";
import type { Types } from "./types";

/** End of a message about a file in another format. */
export const WHAT_IS_READ = "vnfm reads only VNFDs of SOL001, which are TOSCA service templates";

type Keys = ReadonlyMap<string, string>;

/** Formats of other software that users take for a VNFD, recognised by the top-level keys of their YAML. */
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

/** Top-level keys of a service template: TOSCA 1.3 (3.10.1), and `namespace` of earlier versions. */
const TOSCA_KEYS = [
  ...["tosca_definitions_version", "namespace", "metadata", "description", "dsl_definitions", "repositories"],
  ...["imports", "artifact_types", "data_types", "capability_types", "interface_types", "relationship_types"],
  ...["node_types", "group_types", "policy_types", "topology_template"],
];
const VERSION_KEY = "tosca_definitions_version";
const plain = (key: string) => key.replace(/[_-]/g, "").toLowerCase();

/**
 * Returns the format of a file that is not a TOSCA service template, for a message after "is". Undefined: it may be
 * one.
 */
export function otherFormat(file: string, content: Buffer): string | undefined {
  if (content.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return "a zip";
  const text = content.toString("utf8");
  if (!/^[^#\s]/m.test(text.replace(/^\uFEFF?(---|\.\.\.)[ \t]*$/gm, ""))) return "empty";
  const keys = keysOf(text);
  const version = keys.get(VERSION_KEY);
  if (version?.includes("tosca_simple_profile_for_nfv")) return "a VNFD of the old NFV profile of TOSCA";
  if (version !== undefined) return undefined;
  const known = FORMATS.find(([, is]) => is(keys, file))?.[0];
  if (known !== undefined) return known;
  const misspelled = [...keys.keys()].find((key) => plain(key) === plain(VERSION_KEY));
  if (misspelled !== undefined) return `a file with the key ${misspelled}, which TOSCA spells ${VERSION_KEY}`;
  if (keys.size === 0 || TOSCA_KEYS.some((key) => keys.has(key))) return undefined;
  const names = [...keys.keys()];
  const shown = [...names.slice(0, MOST_KEYS), ...(names.length > MOST_KEYS ? ["more"] : [])].join(", ");
  return `a file with no key of TOSCA at its top, but with ${shown}`;
}

/** Maximum number of keys in a message. */
const MOST_KEYS = 5;

/**
 * Lists the top-level keys of YAML or JSON, from its lines: a file of other software may have several documents, or
 * YAML that only that software can read.
 */
function keysOf(text: string): Keys {
  const lines = [...text.matchAll(/^["']?([\w:-]+)["']?[ \t]*:(?:[ \t]+(.*))?\r?$/gm)];
  if (lines.length > 0 || !/^\s*\{/.test(text))
    return new Map(lines.map(([, key = "", value = ""]) => [key, value]));
  const { document, faults } = parseDocument(text, { merge: false });
  const root = document.contents;
  if (faults.length > 0 || !isMap(root)) return new Map();
  return new Map(
    root.items.map(({ key, value }) => [
      isScalar(key) ? String(key.value) : "",
      isScalar(value) ? String(value.value) : "",
    ]),
  );
}

/** Node types of an NSD (SOL001 7.8), which may lack a node template of the NS itself. */
const NSD_PARTS = [
  "NsVirtualLink",
  "Sap",
  "NFP",
  "NfpPosition",
  "NfpPositionElement",
  "NsDeployableModule",
].map((name) => `tosca.nodes.nfv.${name}`);

/**
 * Detects a descriptor of a network service or of a PNF, which are TOSCA too. @returns its kind and the place that
 * shows it
 */
export function otherDescriptor(roots: readonly At[], types: Types): { what: string; at: At } | undefined {
  const places = roots.flatMap((root) => {
    const topology = root.get("topology_template");
    const templates = topology.get("node_templates").children();
    return [topology.get("substitution_mappings").get("node_type"), ...templates.map((at) => at.get("type"))];
  });
  const of = (what: string, ...bases: readonly string[]) => {
    const at = places.find((type) => type.isText && bases.includes(types.nodeBase(type.text() ?? "")));
    return at && { what, at };
  };
  return (
    of("an NSD", "tosca.nodes.nfv.NS") ??
    of("a part of an NSD", ...NSD_PARTS) ??
    of("a PNFD", "tosca.nodes.nfv.PNF")
  );
}
