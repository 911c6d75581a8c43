import { jsonStream } from "../../base/yaml/json-stream";
import { limits } from "../../base/limits";
import { withMarksOfTexts } from "../objects/attributes";
import {
  dataOf,
  DUPLICATE_KEY,
  isNode,
  isPair,
  isScalar,
  parseDocuments,
  Scalar,
  visit,
  type Document,
  type Node,
  type Pair,
  type ParsedYaml,
  type ScalarTag,
  type YamlFault as Found,
  type YamlOptions,
} from "../../base/yaml/yaml";

/** A YAML document, parsed like Kubernetes does. */
export interface YamlDocument {
  readonly value: unknown;
  /** Line of a node of the document, from 1. */
  readonly line: (node: Node | null | undefined) => number | undefined;
  /** The root node of the document. */
  readonly root: Node | null;
  /** True if the value of a secret variable is in it. */
  readonly secret: boolean;
}

/** The text that replaces a scalar. */
export interface Filled {
  readonly text: string;
  /** True if it contains a secret. */
  readonly secret: boolean;
}

export interface YamlFault {
  readonly line: number | undefined;
  readonly message: string;
}

/**
 * Parses a YAML stream like kubectl, with sigs.k8s.io/yaml, which is go-yaml v2: YAML 1.1 with its octals (0644),
 * binaries and booleans (yes, on, y), without its base-60 numbers, with timestamps as text, and with merge keys. A
 * duplicate key is an error, as in Kubernetes' strict validation. In addition, unknown tags, integers that JavaScript
 * would round, and infinite aliases are errors. Empty documents are left out. JSON objects may follow one another
 * without a `---`.
 * @param fill replaces the text of a scalar; one without quotes is parsed again. @default no replacement
 */
export function readYaml(
  text: string,
  faults: YamlFault[],
  fill?: (scalar: string) => Filled | undefined,
): YamlDocument[] {
  if (countOf(text, DOCUMENT) > limits.yamlDocuments) {
    faults.push({
      line: undefined,
      message: `has more than ${limits.yamlDocuments} documents, which is the limit`,
    });
    return [];
  }
  const documents = documentsOf(text);
  const found: YamlFault[] = [];
  const read = documents.flatMap((parsed) => {
    const { document, structure, place } = parsed;
    const line = (node: Node | null | undefined): number | undefined => place(node)?.line;
    // a document that is too large is not traversed again
    const isFilled = fill !== undefined && !structure.isTooLarge;
    const { secret, wrong: unfilled } = isFilled ? fillScalars(document, fill) : NOTHING;
    const wrong = structure.isTooLarge ? [] : [...unusable(document), ...unfilled];
    const broken: YamlFault[] = [
      ...parsed.faults,
      ...wrong.map(({ node, message }) => ({ line: line(node), message })),
    ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const endless: Found[] = [];
    const value = broken.length > 0 ? undefined : dataOf(parsed, endless);
    for (const { line: at, message } of [...broken, ...endless]) found.push({ line: at, message });
    return value === undefined || value === null ? [] : [{ value, line, root: document.contents, secret }];
  });
  faults.push(...found.slice(0, limits.textFaults));
  return read;
}

function documentsOf(text: string): readonly ParsedYaml[] {
  const options: YamlOptions = {
    schema: "failsafe",
    customTags: [NULL, TRUE, FALSE, INT, FLOAT, TIMESTAMP, BINARY],
    tagMessages: [NOT_FINITE, NO_BINARY],
  };
  const documents = parseDocuments(text, options);
  if (documents.every(({ faults }) => faults.length === 0)) return documents;
  const objects = jsonStream(text);
  if (objects.length < 2 || objects.length > limits.yamlDocuments) return documents;
  return objects.flatMap(({ text, line }) =>
    parseDocuments(text, options).map((parsed) => movedDown(parsed, line - 1)),
  );
}

function movedDown(parsed: ParsedYaml, lines: number): ParsedYaml {
  const moved = <T extends { readonly line: number }>(at: T): T => ({ ...at, line: at.line + lines });
  return {
    ...parsed,
    faults: parsed.faults.map(moved),
    place: (node) => {
      const place = parsed.place(node);
      return place && moved(place);
    },
  };
}

/** Start of a document in a stream. */
const DOCUMENT = /^---/gm;

function countOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

interface Wrong {
  readonly node: Node;
  readonly message: string;
}

/** Lists keys that JSON does not support (empty, lists, mappings), and numbers that cannot be represented exactly. */
function unusable(document: Document): Wrong[] {
  const found: Wrong[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isNode(key) && !(isScalar(key) && key.value !== null))
        found.push({ node: key, message: "a key of a mapping must be a string" });
    },
    Scalar: (key, node, path) => {
      if (isRounded(node.value, node.source ?? "") && !isFloatOfSchema(key, path))
        found.push({ node, message: TOO_LARGE });
    },
  });
  return found;
}

/** Result of filling in the scalars of a document. */
interface Filling {
  readonly secret: boolean;
  /** Errors about the inserted values. */
  readonly wrong: readonly Wrong[];
}

const NOTHING: Filling = { secret: false, wrong: [] };

function fillScalars(document: Document, fill: (scalar: string) => Filled | undefined): Filling {
  const wrong: Wrong[] = [];
  const changed = new Set<unknown>();
  let hasSecret = false;
  visit(document, {
    Scalar: (key, node, path) => {
      const filled = typeof node.value === "string" ? fill(node.value) : undefined;
      if (filled === undefined) return;
      changed.add(node);
      const { text, secret } = filled;
      const shownIn = secret ? placeInPlain(key, path) : undefined;
      hasSecret ||= secret;
      if (shownIn !== undefined)
        wrong.push({
          node,
          message: `an encrypted variable is in ${shownIn}, which appears unencrypted in the state and in messages; set it without --secret`,
        });
      const isPlain = node.type === Scalar.PLAIN && node.tag === undefined;
      const onError = (message: string): void =>
        void wrong.push({
          node,
          message: secret
            ? "the encrypted variable is not a number that can be kept exactly; quote it"
            : message,
        });
      node.value = isPlain ? plainValue(text, onError) : withMarksOfTexts(text);
      if (isRounded(node.value, text) && !isFloatOfSchema(key, path)) onError(TOO_LARGE);
    },
  });
  visit(document, {
    Map: (_, map) => {
      if (!map.items.some(({ key }) => changed.has(key))) return;
      const keys = new Set<string>();
      for (const { key } of map.items) {
        const name = String(isScalar(key) ? key.value : key);
        if (keys.has(name) && isNode(key)) wrong.push({ node: key, message: DUPLICATE_KEY });
        keys.add(name);
      }
    },
  });
  return { secret: hasSecret, wrong };
}

/** Nodes around a scalar, from the document inwards. */
type Path = readonly (Document | Node | Pair)[];

function keysOf(path: Path): string[] {
  return path.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []));
}

/** Returns the part of an object that contains the scalar, if objects never keep that part secret. */
function placeInPlain(key: unknown, path: Path): string | undefined {
  if (key === "key") return "the key of a mapping";
  return keysOf(path).find((name) => ["apiVersion", "kind", "metadata"].includes(name));
}

/** Keywords of JSON Schema that contain schemas: by name, and below directly or in a list. */
const OF_NAMED_SCHEMAS = ["properties", "patternProperties", "definitions", "dependencies"];
const OF_SCHEMAS = ["items", "additionalProperties", "additionalItems", "not", "allOf", "anyOf", "oneOf"];

/**
 * Returns true if a scalar is a number in a CRD's schema that the API stores as a float, such as the `maximum` of an
 * int64: the API would round it too.
 */
function isFloatOfSchema(key: unknown, path: Path): boolean {
  const [keyword = "", ...around] = keysOf(path).reverse();
  const begin = around.indexOf("openAPIV3Schema");
  if (key !== "value" || begin < 0 || !["maximum", "minimum", "multipleOf"].includes(keyword)) return false;
  const way = around.slice(0, begin).reverse();
  let i = 0;
  while (i < way.length) {
    if (OF_NAMED_SCHEMAS.includes(way[i] ?? "")) i += 2;
    else if (OF_SCHEMAS.includes(way[i] ?? "")) i += 1;
    else return false;
  }
  return i === way.length;
}

/** The value of a scalar without quotes, by the tags below. */
function plainValue(source: string, onError: (message: string) => void): unknown {
  if (NULL.test?.test(source)) return null;
  if (TRUE.test?.test(source)) return true;
  if (FALSE.test?.test(source)) return false;
  return INT.test?.test(source) ? (numberOf(source, onError) ?? source) : source;
}

/** The YAML node of an item in a List. */
export function itemNode(document: Node | null, index: number): Node | undefined {
  if (document === null || !("items" in document)) return undefined;
  for (const pair of document.items as { key: unknown; value: unknown }[]) {
    if (!isScalar(pair.key) || pair.key.value !== "items") continue;
    return (pair.value as { items?: Node[] } | null)?.items?.[index];
  }
  return undefined;
}

/** Error about numbers. It does not quote the number, which may be the value of a variable, and so a secret. */
const TOO_LARGE = "an integer is too large to be kept exactly; quote it if it is a string";
const NOT_FINITE = "Kubernetes cannot store infinity or NaN";
const NO_BINARY = "Kubernetes does not support !!binary; write the base64 as a string";

const NULL: ScalarTag = {
  tag: "tag:yaml.org,2002:null",
  default: true,
  test: /^(?:~|null|Null|NULL)?$/,
  resolve: () => null,
};

const TRUE: ScalarTag = {
  tag: "tag:yaml.org,2002:bool",
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/,
  resolve: () => true,
};

const FALSE: ScalarTag = {
  tag: "tag:yaml.org,2002:bool",
  default: true,
  test: /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/,
  resolve: () => false,
};

const INT: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+.0-9]/,
  resolve: (source, onError) => numberOf(source, onError) ?? source,
};

const FLOAT: ScalarTag = { ...INT, tag: "tag:yaml.org,2002:float" };

const TIMESTAMP: ScalarTag = {
  tag: "tag:yaml.org,2002:timestamp",
  resolve: (source) => source,
};

const BINARY: ScalarTag = {
  tag: "tag:yaml.org,2002:binary",
  resolve: (source, onError) => {
    onError(NO_BINARY);
    return source;
  },
};

/** Reads a plain scalar that begins like a number, as go-yaml's resolve() does; undefined if it is a string. */
function numberOf(source: string, onError: (message: string) => void): number | undefined {
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(source)) {
    onError(NOT_FINITE);
    return undefined;
  }
  const plain = source.startsWith(".") ? source : source.replaceAll("_", "");
  const value = integerOf(plain) ?? (FLOATING.test(plain) ? Number(plain) : undefined);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Returns true if an integer is too large to be represented exactly. @param source text of the integer */
function isRounded(value: unknown, source: string): boolean {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return false;
  const plain = source.replaceAll("_", "");
  return integerOf(plain) !== undefined || /^[-+]?\d+$/.test(plain);
}

/** Parses an integer like Go's strconv.ParseInt with base 0; 08 is not an integer, and so a float. */
function integerOf(plain: string): number | undefined {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(plain);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const value =
    hex !== undefined
      ? parseInt(hex, 16)
      : binary !== undefined
        ? parseInt(binary, 2)
        : octal !== undefined
          ? parseInt(octal, 8)
          : Number(decimal);
  return sign === "-" && value !== 0 ? -value : value;
}

const FLOATING = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
