import {
  isNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  visit,
  type Alias,
  type Document,
  type Node,
  type ScalarTag,
} from "yaml";

/** One YAML document as Kubernetes reads it. */
export interface YamlDocument {
  readonly value: unknown;
  /** Line of a node of it, from 1. */
  readonly line: (node: Node | null | undefined) => number | undefined;
  /** The node of the whole document. */
  readonly root: Node | null;
}

export interface YamlFault {
  readonly line: number | undefined;
  readonly message: string;
}

/**
 * Reads a YAML stream as kubectl does, with sigs.k8s.io/yaml, which is go-yaml v2: YAML 1.1 with its octals
 * (0644), binaries and booleans (yes, on, y), without its base-60 numbers, timestamps left as text, merge
 * keys; a duplicate key is a fault, as in Kubernetes' strict validation. Stricter than that: tags of no
 * known type, integers that JavaScript would round and aliases without end are faults. Empty documents are
 * left out.
 */
export function readYaml(text: string, faults: YamlFault[]): YamlDocument[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    schema: "failsafe",
    customTags: [NULL, TRUE, FALSE, INT, FLOAT, TIMESTAMP, BINARY],
    merge: true,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
  });
  if (!Array.isArray(documents)) return [];
  const line = (node: Node | null | undefined): number | undefined =>
    node?.range ? lines.linePos(node.range[0]).line : undefined;
  return documents.flatMap((document) => {
    const broken = [...document.errors, ...document.warnings];
    faults.push(...broken.map((e) => ({ line: lines.linePos(e.pos[0]).line, message: e.message })));
    const keys = unusableKeys(document);
    faults.push(...keys.map((key) => ({ line: line(key), message: "a key of a mapping must be text" })));
    const circles = circularAliases(document);
    const endless = "stands in what it is the alias of, which has no end";
    faults.push(...circles.map((alias) => ({ line: line(alias), message: `*${alias.source} ${endless}` })));
    if (broken.length + keys.length + circles.length > 0) return [];
    const root = document.contents as Node | null;
    try {
      const value: unknown = document.toJS();
      return value === null ? [] : [{ value, line, root }];
    } catch (error) {
      // an alias to an anchor that is not there, or far too many of them
      faults.push({ line: line(root), message: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
}

/** Keys that are empty, lists or mappings, which JSON cannot have. */
function unusableKeys(document: Document): Node[] {
  const found: Node[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isNode(key) && !(isScalar(key) && key.value !== null)) found.push(key);
    },
  });
  return found;
}

/** Aliases within the node that they stand for. */
function circularAliases(document: Document): Alias[] {
  const found: Alias[] = [];
  visit(document, {
    Alias: (_, alias, path) => {
      const node = alias.resolve(document);
      if (node !== undefined && path.includes(node)) found.push(alias);
    },
  });
  return found;
}

/** Line of an element of a list in a document. */
export function itemNode(document: Node | null, index: number): Node | undefined {
  if (document === null || !("items" in document)) return undefined;
  for (const pair of document.items as { key: unknown; value: unknown }[]) {
    if (!isScalar(pair.key) || pair.key.value !== "items") continue;
    return (pair.value as { items?: Node[] } | null)?.items?.[index];
  }
  return undefined;
}

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
    onError("Kubernetes takes no !!binary; write the base64 as text");
    return source;
  },
};

/** A plain scalar that begins like a number, as go-yaml's resolve() reads it; undefined where it is text. */
function numberOf(source: string, onError: (message: string) => void): number | undefined {
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(source)) {
    onError(`${source} is no number that Kubernetes can hold`);
    return undefined;
  }
  const plain = source.startsWith(".") ? source : source.replaceAll("_", "");
  const value = integerOf(plain) ?? (FLOATING.test(plain) ? Number(plain) : undefined);
  if (value === undefined || !Number.isFinite(value)) return undefined;
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(plain)) {
    onError(`${source} is too large to be kept exactly; quote it if it is text`);
  }
  return value;
}

/** Go's strconv.ParseInt with base 0; 08 is none, and so a float. */
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
