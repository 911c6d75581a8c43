import { posix } from "node:path";
import { limits, tooLarge } from "../base/limits";
import { At, type Scope } from "./at";
import { contentOf, type Fault, type PackageFiles } from "./model";
import type { Definitions } from "./metadata";
import { nearest } from "./nearest";
import { otherFormat, WHAT_IS_READ } from "./other-formats";
import { resolvePath } from "./paths";
import { parseSource, type Source } from "./source";

/**
 * Returns true if a file contains the types that ETSI publishes with SOL001 (annex B). Readers know these types, so a
 * package may leave the files out; they are not read even if they exist.
 */
function isOfEtsi(path: string): boolean {
  const name = posix.basename(path).toLowerCase();
  return name.startsWith("etsi_nfv_sol001_") && name.includes("types") && /\.ya?ml$/.test(name);
}

/**
 * Reads the entry file, the other definitions of TOSCA.meta, and all their imports (TOSCA 3.6.8), each once, the entry
 * first. An import is relative to the importing file; files may import each other.
 */
export function loadSources(files: PackageFiles, { entry, others }: Definitions, faults: Fault[]): At[] {
  const seen = new Set<string>([entry, ...others.filter((file) => !isOfEtsi(file))]);
  const roots: At[] = [];
  let bytes = 0;
  // the loop also visits files that it adds to the set
  for (const file of seen) {
    const content = contentOf(files, file, faults);
    if (content === undefined) continue;
    bytes += content.length;
    const problem = tooLarge(bytes, limits.toscaBytes, "a package's TOSCA files together");
    if (problem !== undefined) {
      faults.push({ file, node: "", property: "", message: problem });
      return roots;
    }
    const other = otherFormat(file, content);
    if (other === "empty" && file !== entry) continue;
    if (other !== undefined) {
      faults.push({ file, node: "", property: "", message: `is ${other}; ${WHAT_IS_READ}` });
      if (file === entry) return roots;
      continue;
    }
    const source = parseSource(file, content, faults);
    if (source === undefined) continue;
    const root = At.root(scopeOf(source, files, faults));
    roots.push(root);
    for (const item of root.get("imports").exists ? importsOf(root.get("imports")) : []) {
      const path = importPath(files, file, item, seen);
      if (path !== undefined) seen.add(path);
    }
  }
  return roots;
}

/** Lists imports in the forms `- a.yaml`, `- file: a.yaml`, `- name: a.yaml` and `- name: { file: a.yaml }`. */
function importsOf(imports: At): At[] {
  return imports.items().flatMap((item) => {
    if (item.isText) return [item];
    if (item.get("file").exists) return [item.get("file")];
    if (item.get("url").exists) return [item.get("url")];
    return item.entries().map(([, value]) => (value.isText ? value : value.get("file")));
  });
}

function importPath(
  files: PackageFiles,
  file: string,
  item: At,
  imported: ReadonlySet<string>,
): string | undefined {
  const reference = item.requiredText();
  if (reference === "") return undefined;
  const known = isOfEtsi(reference);
  if (/^[a-z]+:\/\//i.test(reference)) {
    if (!known) item.fault(`${reference}: only files of the package can be imported`);
    return undefined;
  }
  if (known) return undefined;
  const path = resolvePath(file, reference);
  if (path !== undefined && files.has(path)) return path;
  if (path === undefined) item.fault(`${JSON.stringify(reference)} is not a path inside the package`);
  else item.fault(`${path} is not in the package${nearest(path, yamlFiles(files), [...imported])}`);
  return undefined;
}

const yamlFiles = (files: PackageFiles) => files.list().filter((f) => /\.ya?ml$/i.test(f));

function scopeOf(source: Source, files: PackageFiles, faults: Fault[]): Scope {
  const calls = { templates: new Map(), open: new Set<string>(), characters: 0 };
  return { source, files, faults, warnings: [], read: new Set(), calls, values: new Map() };
}
