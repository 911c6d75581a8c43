import { createHash } from "node:crypto";
import { posix } from "node:path";
import { limits, tooLarge } from "../base/limits";
import { contentOf, record, type Fault, type PackageFiles } from "./model";
import { nearest } from "./nearest";
import { otherFormat, WHAT_IS_READ } from "./other-formats";
import { fromRoot, isImage, unsafePath } from "./paths";

const META = "TOSCA-Metadata/TOSCA.meta";
/** Keys of TOSCA.meta for the path of the manifest. The second one is from SOL004 2.4.1. */
const MANIFEST_KEYS = ["ETSI-Entry-Manifest", "Entry-Manifest"] as const;
const algorithms = ["SHA-224", "SHA-256", "SHA-384", "SHA-512"];

/** The TOSCA files that TOSCA.meta names. */
export interface Definitions {
  readonly entry: string;
  readonly others: readonly string[];
}

/** One `key: value` block of TOSCA.meta or of a manifest, keys in lower case. */
interface Block {
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Reads the VNFD's entry definitions (SOL004 4.1.2): from TOSCA-Metadata/TOSCA.meta, or without metadata the only YAML
 * file in the root of the package (4.1.3). A missing file is not an error here, but when it is read.
 *
 * Digests of existing files in TOSCA.meta or in the manifest (4.3.2) are compared. A wrong digest is only a warning: it
 * is in the same package as the file, so it does not prove who changed the file, and published packages have such
 * digests. Other wrong facts in TOSCA.meta and the manifest are warnings, too.
 */
export function readMetadata(
  files: PackageFiles,
  faults: Fault[],
  warnings: Fault[],
): Definitions | undefined {
  const meta = files.has(META) ? textOf(files, META, faults) : undefined;
  if (meta === undefined && files.has(META)) return undefined;
  const blocks = meta === undefined ? undefined : parseBlocks(meta, "name");
  const entry =
    blocks === undefined ? rootDefinitions(files, faults) : metaDefinitions(files, blocks, faults);
  checkListed(files, META, "name", blocks ?? [], warnings);
  const manifest = findManifest(files, blocks, entry, warnings);
  if (manifest !== undefined) {
    const [listed = ""] = textOf(files, manifest, faults)?.split("-----BEGIN", 1) ?? [];
    checkListed(files, manifest, "source", parseBlocks(listed, "source"), warnings);
  }
  return entry === undefined ? undefined : { entry, others: otherDefinitions(files, blocks, warnings) };
}

/**
 * Reads the files in Other-Definitions (TOSCA 1.3, 6.2): paths separated by blanks or commas, with or without quotes.
 */
function otherDefinitions(
  files: PackageFiles,
  blocks: readonly Block[] | undefined,
  warnings: Fault[],
): readonly string[] {
  const [{ line, values } = { line: 1, values: new Map<string, string>() }] = blocks ?? [];
  const listed = [...(values.get("other-definitions") ?? "").matchAll(/"([^"]+)"|[^\s,"]+/g)];
  return listed
    .map(([text, quoted = text]) => fromRoot(quoted))
    .filter((file) => {
      if (files.has(file)) return true;
      const message = `${file} is not in the package${nearest(file, definitions(files))}`;
      record(warnings, { file: META, node: "", property: "Other-Definitions", message, line });
      return false;
    });
}

function textOf(files: PackageFiles, file: string, faults: Fault[]): string | undefined {
  const content = contentOf(files, file, faults);
  if (content === undefined) return undefined;
  const message = tooLarge(content.length, limits.metadataBytes, "TOSCA.meta or a manifest");
  if (message === undefined) return content.toString("utf8").replace(/^\uFEFF/, "");
  faults.push({ file, node: "", property: "", message });
  return undefined;
}

function metaDefinitions(files: PackageFiles, blocks: readonly Block[], faults: Fault[]): string | undefined {
  const fault = (property: string, message: string, line?: number) =>
    void faults.push({ file: META, node: "", property, message, ...(line !== undefined && { line }) });
  const entryDefinitions = blocks[0]?.values.get("entry-definitions");
  const entry = entryDefinitions && fromRoot(entryDefinitions);
  if (entry === undefined) {
    fault(
      "Entry-Definitions",
      "is missing; it must contain the path of the VNFD, such as Definitions/vnfd.yaml",
    );
  } else if (unsafePath(entry) !== undefined) {
    fault("Entry-Definitions", `${JSON.stringify(entry)}: ${unsafePath(entry)}`, blocks[0]?.line);
  } else if (!files.has(entry)) {
    fault("Entry-Definitions", `${entry} is not in the package${nearest(entry, definitions(files))}`);
  } else {
    return entry;
  }
  return undefined;
}

/**
 * Finds the manifest (SOL004 4.3.1): the file named in TOSCA.meta, or without TOSCA.meta the one in the root, which has
 * the name of the VNFD's file. Warns about other files that look like a manifest.
 */
function findManifest(
  files: PackageFiles,
  blocks: readonly Block[] | undefined,
  entry: string | undefined,
  warnings: Fault[],
): string | undefined {
  const warn = (file: string, property: string, message: string) =>
    record(warnings, { file, node: "", property, message });
  const first = blocks?.[0]?.values;
  const key = MANIFEST_KEYS.find((one) => first?.has(one.toLowerCase()));
  const named = key && first?.get(key.toLowerCase());
  const name = entry === undefined ? undefined : posix.basename(entry).replace(/\.ya?ml$/i, ".mf");
  const path = blocks === undefined ? name : named && fromRoot(named);
  const manifest = path !== undefined && files.has(path) ? path : undefined;
  const others = files.list().filter((file) => /^[^/]+\.mf$/i.test(file) && file !== manifest);
  if (key !== undefined && path !== undefined) {
    if (manifest === undefined) {
      warn(
        META,
        key,
        `${path} is not in the package${nearest(path, others)}; no digests are compared with a manifest`,
      );
    } else if (name !== undefined && posix.basename(manifest) !== name) {
      warn(META, key, `${manifest} is read, although the manifest of ${entry} should have the name ${name}`);
    }
  }
  const why =
    blocks === undefined
      ? `the manifest of a package without ${META} has the name of its VNFD, ${name}`
      : key === undefined
        ? `${META} has no ${MANIFEST_KEYS[0]}, the path of the manifest`
        : `${key} of ${META} is the path of the manifest`;
  for (const file of others) warn(file, "", `is not read: ${why}`);
  return manifest;
}

const isYaml = (path: string) => /\.ya?ml$/i.test(path);
const definitions = (files: PackageFiles) => files.list().filter((f) => isYaml(f) && !f.startsWith("Files/"));

function rootDefinitions(files: PackageFiles, faults: Fault[]): string | undefined {
  const candidates = files.list().filter((f) => isYaml(f) && !f.includes("/"));
  if (candidates.length === 1) return candidates[0];
  const nested = files.list().find((f) => f.endsWith(`/${META}`));
  const message =
    nested !== undefined
      ? `is missing, but there is ${nested}: pack the content of ${nested.slice(0, -META.length)}, not the folder itself`
      : candidates.length === 0
        ? `is missing, and ${insteadOfDefinitions(files, faults)}`
        : `is missing, and the package's root has more than one .yaml file: ${candidates.map(shown).join(", ")}`;
  faults.push({ file: META, node: "", property: "", message });

  function shown(file: string): string {
    const content = contentOf(files, file, faults);
    const other = content && otherFormat(file, content);
    return other === undefined ? file : `${file} (${other})`;
  }
  return undefined;
}

/** Returns the message for a package without YAML in its root, with a list of its content. */
function insteadOfDefinitions(files: PackageFiles, faults: Fault[]): string {
  if (files.has("TOSCA-Metadata/NAPD.yaml"))
    return `TOSCA-Metadata/NAPD.yaml is that of a package of 5GTANGO; ${WHAT_IS_READ}`;
  const inner = files.list().find((file) => /\.(csar|zip)$/i.test(file));
  if (inner === undefined)
    return inFolder(files, faults) ?? "there is no VNFD (a .yaml file) in the package's root";
  const isSigned = files.list().some((file) => /^[^/]+\.cms$/i.test(file));
  return isSigned
    ? `this is a signed package: unpack it, and use ${inner} as the package; the signature is not checked`
    : `the package itself is ${inner}: unpack it, and use that`;
}

/** Returns a hint if all files of the package are in one subfolder, which contains a possible VNFD. */
function inFolder(files: PackageFiles, faults: Fault[]): string | undefined {
  const [first = "", ...others] = files.list();
  const folder = first.slice(0, first.indexOf("/") + 1);
  if (folder === "" || others.some((file) => !file.startsWith(folder))) return undefined;
  const inside = [first, ...others].find((file) => isYaml(file) && !file.slice(folder.length).includes("/"));
  if (inside === undefined) return undefined;
  const content = contentOf(files, inside, faults);
  const other = content && otherFormat(inside, content);
  return other === undefined
    ? `there is ${inside}: pack the content of ${folder}, not the folder itself`
    : `${inside} is ${other}; ${WHAT_IS_READ}`;
}

/**
 * Parses blocks of a manifest. Empty lines separate them, which many manifests lack; so `nameKey`, the key of a file's
 * name, also begins a block, unless the file's digest precedes it. A line that starts with a space continues the line
 * before.
 */
function parseBlocks(text: string, nameKey: string): Block[] {
  const blocks: { line: number; values: Map<string, string> }[] = [];
  let block: (typeof blocks)[number] | undefined;
  let key = "";
  text.split(/\r?\n/).forEach((content, i) => {
    if (content.trim() === "") {
      block = undefined;
      return;
    }
    const isContinued = /^\s/.test(content);
    const colon = isContinued ? -1 : content.indexOf(":");
    if (colon > 0) key = content.slice(0, colon).trim().toLowerCase();
    if (block === undefined || (colon > 0 && key === nameKey && !isNamedNext(block.values))) {
      block = { line: i + 1, values: new Map() };
      blocks.push(block);
    }
    if (isContinued) block.values.set(key, (block.values.get(key) ?? "") + content.trim());
    else if (colon > 0) block.values.set(key, content.slice(colon + 1).trim());
  });
  return blocks;

  function isNamedNext(values: ReadonlyMap<string, string>): boolean {
    return !values.has(nameKey) && (values.has("algorithm") || values.has("hash"));
  }
}

/** Checks the existence and digest of each file that TOSCA.meta or the manifest lists. */
function checkListed(
  files: PackageFiles,
  file: string,
  nameKey: string,
  blocks: readonly Block[],
  warnings: Fault[],
): void {
  const digests = new Map<string, string>();
  for (const { line, values } of blocks) {
    const name = values.get(nameKey);
    const digest = values.get("hash");
    // files elsewhere do not belong to the package
    if (name === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(name)) continue;
    const warn = (property: string, message: string) =>
      record(warnings, { file, node: name, property, message, line });
    const path = fromRoot(name);
    if (!files.has(path)) {
      warn("", "is not in the package");
      continue;
    }
    if (isImage(path)) continue;
    const algorithm = values.get("algorithm") ?? "";
    if (digest === undefined) {
      if (algorithm !== "")
        warn("Hash", `is missing next to Algorithm: ${algorithm}; the file is not compared`);
      continue;
    }
    const known = algorithms.find((a) => a.replace("-", "") === algorithm.toUpperCase().replace("-", ""));
    if (known === undefined) {
      warn("Algorithm", `${JSON.stringify(algorithm)} is not known; use one of ${algorithms.join(", ")}`);
      continue;
    }
    // a file may be listed any number of times
    const digestId = `${known} ${path}`;
    const content = digests.has(digestId) ? Buffer.alloc(0) : contentOf(files, path, warnings);
    if (content === undefined) continue;
    const actual = digests.get(digestId) ?? createHash(known.replace("-", "")).update(content).digest("hex");
    digests.set(digestId, actual);
    if (actual !== digest.toLowerCase()) {
      warn("Hash", `the file has the ${known} digest ${actual}, not ${digest}`);
    }
  }
}
