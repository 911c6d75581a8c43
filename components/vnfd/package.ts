import { statSync } from "node:fs";
import { resolve } from "node:path";
import { types } from "node:util";
import { limits } from "../base/limits";
import type { At } from "./at";
import { openFolder } from "./files-folder";
import { openZip } from "./files-zip";
import { readFlavour, readTemplates } from "./flavour";
import { loadSources } from "./imports";
import { readMetadata, type Definitions } from "./metadata";
import {
  faultLine,
  PackageFault,
  record,
  TooManyFindings,
  type DeploymentFlavour,
  type Fault,
  type PackageFiles,
  type Vnfd,
  type VnfPackage,
} from "./model";
import { otherDescriptor, WHAT_IS_READ } from "./other-formats";
import { Types, type NodeTemplate } from "./types";

/**
 * Opens a VNF package (SOL004), a folder or a CSAR zip, and reads its VNFD (SOL001).
 *
 * @param from folder to which the location is relative. @default the current one
 * @throws PackageFault with all errors of the package
 */
export function loadPackage(location: string, from = ""): VnfPackage {
  const files = openPackage(location, resolve(from, location));
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  const vnfd = untilTooMany(faults, () => {
    const definitions = readMetadata(files, faults, warnings);
    return definitions === undefined ? undefined : readVnfd(files, definitions, faults, warnings);
  });
  if (faults.length > 0 || vnfd === undefined) throw new PackageFault(location, faults);
  return { location, vnfd, files, warnings: warnings.map(faultLine) };
}

/** Calls a reader. Returns undefined, and records an error, if it finds too many errors or warnings. */
function untilTooMany<T>(faults: Fault[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TooManyFindings)) throw error;
    const message = `has more than ${limits.findings} errors or warnings; the rest was not read`;
    faults.unshift({ file: "", node: "", property: "", message });
    return undefined;
  }
}

function openPackage(location: string, path: string): PackageFiles {
  let message = "there is no such folder or zip";
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return openFolder(location, path);
    if (stat?.isFile()) return openZip(location, path);
  } catch (error) {
    if (!types.isNativeError(error) || !("syscall" in error) || !("code" in error)) throw error;
    message = `cannot be read: ${String(error.code)}`;
  }
  throw new PackageFault(location, [{ file: "", node: "", property: "", message }]);
}

interface Template {
  readonly root: At;
  readonly nodes: ReadonlyMap<string, NodeTemplate>;
}

function readVnfd(
  files: PackageFiles,
  definitions: Definitions,
  faults: Fault[],
  warnings: Fault[],
): Vnfd | undefined {
  const roots = loadSources(files, definitions, faults);
  // what a file that cannot be read defines would be found missing everywhere else
  if (faults.some((f) => f.property === "" && f.node === "" && !f.file.startsWith("TOSCA-Metadata/")))
    return undefined;
  const types = new Types(roots);
  const other = otherDescriptor(roots, types);
  if (other !== undefined) {
    other.at.fault(`is the type of ${other.what}; ${WHAT_IS_READ}`);
    return undefined;
  }
  const templates = roots.map((root): Template => ({ root, nodes: readTemplates(root, types) }));
  const top = templates[0];
  if (top === undefined) return undefined;

  const substituting = templates.filter(isFlavour);
  const flavours = new Map<string, DeploymentFlavour>();
  const ofFlavours = substituting.length > 0 ? substituting : [top];
  for (const template of ofFlavours) {
    const id = flavourId(template);
    const flavour = readFlavour(id ?? "", template.root, template.nodes, types);
    if (id === undefined) continue;
    if (flavours.has(id)) {
      template.root
        .get("topology_template")
        .fault(`the flavour ${JSON.stringify(id)} is in more than one file`);
    }
    flavours.set(id, flavour);
  }

  for (const { nodes } of templates) {
    const [first, ...more] = [...nodes.values()].filter(({ kind }) => kind === "VNF");
    for (const { at } of more)
      at.fault(`is a VNF beside ${first?.name}; a VNFD has one node template of a VNF`);
  }
  const vnfs = [top, ...substituting].flatMap((template) => vnfOf(template) ?? []);
  const vnf = vnfs.find(({ at }) => at.exists) ?? vnfs[0];
  if (vnf === undefined) {
    if ([...top.nodes.values()].some((t) => t.kind === "unknown")) return undefined;
    top.root
      .get("topology_template")
      .get("node_templates")
      .fault("has no node template of a type derived from tosca.nodes.nfv.VNF");
    return undefined;
  }
  const others = templates.filter((template) => !ofFlavours.includes(template));
  for (const warning of others.flatMap(ofNoFlavour)) record(warnings, warning);
  return {
    descriptorId: vnf.property("descriptor_id").requiredText(),
    descriptorVersion: vnf.property("descriptor_version").requiredText(),
    provider: vnf.property("provider").requiredText(),
    productName: vnf.property("product_name").requiredText(),
    softwareVersion: vnf.property("software_version").requiredText(),
    flavours: Object.fromEntries(flavours),
  };
}

/** Errors about node templates that belong to no flavour, because their file has no substitution mappings. */
function ofNoFlavour({ root, nodes }: Template): Fault[] {
  const others = [...nodes.values()].filter(({ kind }) => kind !== "VNF").map(({ at }) => at);
  const topology = root.get("topology_template");
  const [first = topology.get("policies"), ...more] = others;
  if (!first.exists) return root.scope.warnings;
  const what = [first, ...more].map(({ node }) => node).join(", ");
  return [
    ...root.scope.warnings,
    { ...first.finding("is in no flavour, because its file has no substitution_mappings"), node: what },
  ];
}

const vnfOf = (template: Template) => [...template.nodes.values()].find((t) => t.kind === "VNF");
const mappings = (template: Template) => template.root.get("topology_template").get("substitution_mappings");
const isFlavour = (template: Template) => mappings(template).exists;

/**
 * Returns the flavour's id: from the substitution mappings, in the form of SOL001 2.6.1 (`properties`) or since 3.3.1
 * (`substitution_filter`); else from the VNF node template or its type.
 */
function flavourId(template: Template): string | undefined {
  const mapped = mappings(template).get("properties").get("flavour_id");
  const filtered = mappings(template).get("substitution_filter").get("properties").namedItems();
  const constraints = filtered
    .filter(([name]) => name === "flavour_id")
    .map(([, at]) => (at.isList ? (at.items()[0] ?? at) : at))
    .map((at) => (at.isText ? at : at.get("equal")));
  const own = vnfOf(template)?.property("flavour_id");
  const place = [mapped, ...constraints, own].find((at) => at?.exists);
  if (place !== undefined) return place.text();
  const required = constraints[0] ?? (mappings(template).exists ? mapped : mappings(template));
  required.missing();
  return undefined;
}
