import { limits, tooLarge } from "../../base/limits";
import { utf8 } from "../../base/text";
import { contentOf, type Fault, type PackageFiles } from "../../vnfd/model";
import { isCollection, isNode, type Node } from "../../base/yaml/yaml";
import { isCreateOnly } from "../objects/kinds";
import { duplicateEntries } from "../objects/list-keys";
import { otherFileProblem } from "./not-applied";
import { at, fields, identityOf, isFields, items, shown, text, type KubeObject } from "../objects/object";
import { podTemplate } from "../objects/pods";
import { keyProblem } from "../objects/reserved-keys";
import { resolveVariables, type Variables } from "./variables";
import { itemNode, readYaml } from "./yaml";

/** Byte order marks at the start of documents, which files have that were concatenated. */
const BYTE_ORDER_MARKS = /(?<=^---.*\r?\n)\uFEFF|^\uFEFF(?=---)/gm;

/** An object with its position in a file. */
export interface ManifestObject {
  readonly object: KubeObject;
  readonly file: string;
  /** Number of the document in the file, from 1; empty documents are not counted. */
  readonly document: number;
  readonly line: number | undefined;
  /** True if an encrypted variable is filled in anywhere in the document. */
  readonly secret: boolean;
}

/**
 * Reads the Kubernetes objects in manifest files of a package, in their order. A List is expanded to its objects.
 * Appends errors to `faults`: files without text or YAML, and objects without kind or name.
 *
 * @param variables values of `${X}` in the files. @default such texts are unchanged
 */
export function readManifests(
  files: Pick<PackageFiles, "read">,
  paths: readonly string[],
  faults: Fault[],
  variables?: Variables,
): readonly ManifestObject[] {
  let bytes = 0;
  const objects: ManifestObject[] = [];
  for (const file of paths) {
    const content = contentOf(files, file, faults);
    if (content === undefined) continue;
    bytes += content.length;
    const problem = tooLarge(bytes, limits.manifestBytes, "the manifests of a CNF together");
    if (problem !== undefined) {
      faults.push(fault({ file, line: undefined }, "", problem));
      break;
    }
    for (const object of objectsOfFile(file, content, faults, variables)) objects.push(object);
    if (objects.length > limits.objects) {
      faults.push(
        fault(
          { file, line: undefined },
          "",
          `a CNF would have ${objects.length} objects; at most ${limits.objects} are allowed`,
        ),
      );
      break;
    }
  }
  return objects;
}

function objectsOfFile(
  file: string,
  bytes: Buffer,
  faults: Fault[],
  variables: Variables | undefined,
): ManifestObject[] {
  const yamlFaults: { line: number | undefined; message: string }[] = [];
  const content = utf8(bytes);
  if (content === undefined) {
    faults.push(fault({ file, line: undefined }, "", "is not UTF-8 text"));
    return [];
  }
  const written = content.replace(BYTE_ORDER_MARKS, "");
  const resolved = variables && resolveVariables(written, variables, yamlFaults);
  const documents = readYaml(resolved?.text ?? written, yamlFaults, resolved?.fill);
  for (const { line, message } of yamlFaults) faults.push(fault({ file, line }, "", message));
  return documents.flatMap(({ value, root, line, secret }, index) =>
    objectsOf(value, root, line, { file, document: index + 1, secret }, faults),
  );
}

/** Appends an error for each duplicate object. Namespaces must already be set. */
export function duplicates(objects: readonly ManifestObject[], faults: Fault[]): void {
  const first = new Map<string, ManifestObject>();
  for (const written of objects) {
    if (text(written.object.metadata.name) === undefined) continue;
    const id = identityOf(written.object);
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, written);
    } else {
      const where = `${before.file}, document ${before.document}`;
      faults.push(
        fault(written, shown(written.object), `is already defined in ${where}; remove one of the two`),
      );
    }
  }
}

/** An error about a manifest, with file and line. */
export function fault(
  where: { file: string; line: number | undefined },
  node: string,
  message: string,
): Fault {
  return {
    file: where.file,
    node,
    property: "",
    message,
    ...(where.line !== undefined && { line: where.line }),
  };
}

function objectsOf(
  value: unknown,
  node: Node | null | undefined,
  lineOf: (node: Node | null | undefined) => number | undefined,
  place: Pick<ManifestObject, "file" | "document" | "secret">,
  faults: Fault[],
): ManifestObject[] {
  const where = { ...place, line: lineOf(node) };
  const named = `document ${place.document}`;
  if (!isFields(value)) {
    const hint = Array.isArray(value)
      ? "is a list; write its objects as separate documents, each after a line with ---"
      : "is not a Kubernetes object; it must be a mapping with apiVersion and kind";
    faults.push(fault(where, named, hint));
    return [];
  }
  const other = otherFileProblem(value, place.file);
  if (other !== undefined) {
    faults.push(fault(where, named, other));
    return [];
  }
  const { apiVersion, kind } = value;
  if (text(apiVersion) === undefined || text(kind) === undefined) {
    const missing = ["apiVersion", "kind"].filter((key) => text(value[key]) === undefined).join(" and ");
    faults.push(fault(where, named, `has no ${missing}`));
    return [];
  }
  // a `List` without items is an empty one; another kind that ends so may be a custom resource
  const isEmpty = kind === "List" && apiVersion === "v1" && (value["items"] ?? null) === null;
  if (isEmpty || (String(kind).endsWith("List") && Array.isArray(value["items"]))) {
    const list = isCollection(node) ? node : null;
    return items(value["items"]).flatMap((item, i) =>
      objectsOf(item, itemNode(list, i) ?? node, lineOf, place, faults),
    );
  }
  const wrong = !VERSION.test(String(apiVersion))
    ? "apiVersion"
    : !KIND.test(String(kind))
      ? "kind"
      : undefined;
  if (wrong !== undefined) {
    faults.push(fault(where, named, `${wrong} ${JSON.stringify(value[wrong])} is not valid in Kubernetes`));
    return [];
  }
  const object = { ...value, metadata: fields(value["metadata"]) } as KubeObject;
  const problem = nameProblem(object) ?? mapProblem(object) ?? keyProblem(object);
  if (problem !== undefined) {
    faults.push(fault(where, `${named}, ${String(kind)}`, problem));
    return [];
  }
  for (const { path, message } of duplicateEntries(object)) {
    // an alias or a merge key brings entries that are written elsewhere
    const entry = isCollection(node) ? node.getIn(path, true) : undefined;
    const line = isNode(entry) ? lineOf(entry) : where.line;
    faults.push(fault({ ...where, line }, shown(object), message));
  }
  return [{ object, ...where }];
}

function nameProblem(object: KubeObject): string | undefined {
  const { name, generateName, namespace } = object.metadata;
  for (const [key, value] of Object.entries({ name, generateName, namespace })) {
    if (value !== undefined && value !== null && typeof value !== "string") {
      return `metadata.${key} is ${JSON.stringify(value)}, which is not a string; quote it`;
    }
  }
  const isNamed = text(name) !== undefined || text(generateName) !== undefined || isCreateOnly(object);
  return isNamed ? undefined : "has no metadata.name";
}

/** Returns the error if labels or annotations, of the object or of its pods, are no map of strings. */
function mapProblem(object: KubeObject): string | undefined {
  const own: [string, unknown] = ["metadata", object.metadata];
  const template: [string, unknown] = ["pod template's metadata", podTemplate(object)?.["metadata"]];
  for (const [place, metadata] of [own, template]) {
    for (const key of ["labels", "annotations"]) {
      const map = at(metadata, key) ?? {};
      if (!isFields(map)) return `${place}.${key} is ${JSON.stringify(map)}, which is not a map`;
      const wrong = Object.entries(map).find(([, value]) => value !== null && typeof value !== "string");
      if (wrong === undefined) continue;
      const [name, value] = wrong;
      return `${place}.${key}: ${name} is ${JSON.stringify(value)}, which is not a string; quote it`;
    }
  }
  return undefined;
}

/** An apiVersion: `v1`, or `<group>/<version>`. */
const VERSION = /^(v1|[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[a-z]([-a-z0-9]*[a-z0-9])?)$/;
const KIND = /^[A-Za-z][A-Za-z0-9]*$/;
