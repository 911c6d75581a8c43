import {
  isNode,
  isPair,
  isScalar,
  Scalar,
  LineCounter,
  parseAllDocuments,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type ScalarTag,
} from "yaml";

/** One YAML document as Kubernetes reads it. */
export interface YamlDocument {
  readonly value: unknown;
  /** Line of a node of it, from 1. */
  readonly line: (node: Node | null | undefined) => number | undefined;
  /** The node of the whole document. */
  readonly root: Node | null;
  /** Whether a secret was filled in. */
  readonly secret: boolean;
}

/** The text that came into the place of a scalar. */
export interface Filled {
  readonly text: string;
  /** Whether a secret is in it. */
  readonly secret: boolean;
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
 * @param fill what a scalar stands for where that is another text; one without quotes is read anew. @default nothing
 */
export function readYaml(
  text: string,
  faults: YamlFault[],
  fill?: (scalar: string) => Filled | undefined,
): YamlDocument[] {
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
    const { secret, wrong } = fill === undefined ? NOTHING : fillScalars(document, fill);
    faults.push(...wrong.map(({ node, message }) => ({ line: line(node), message })));
    if (broken.length + keys.length + circles.length + wrong.length > 0) return [];
    const root = document.contents as Node | null;
    try {
      const value: unknown = document.toJS();
      return value === null ? [] : [{ value, line, root, secret }];
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

/** What came of filling the scalars of a document. */
interface Filling {
  readonly secret: boolean;
  /** What is wrong with the texts that came in. */
  readonly wrong: readonly { readonly node: Node; readonly message: string }[];
}

const NOTHING: Filling = { secret: false, wrong: [] };

function fillScalars(document: Document, fill: (scalar: string) => Filled | undefined): Filling {
  const wrong: { node: Node; message: string }[] = [];
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
          message: `an encrypted variable is in ${shownIn}, which stands in plain in the state and in messages; take it without --secret`,
        });
      const isPlain = node.type === Scalar.PLAIN && node.tag === undefined;
      const onError = (message: string): void =>
        void wrong.push({
          node,
          message: secret ? "the encrypted variable is no number that can be kept; quote it" : message,
        });
      node.value = isPlain ? plainValue(text, onError) : text;
    },
  });
  visit(document, {
    Map: (_, map) => {
      if (!map.items.some(({ key }) => changed.has(key))) return;
      const keys = new Set<string>();
      for (const { key } of map.items) {
        const name = String(isScalar(key) ? key.value : key);
        if (keys.has(name) && isNode(key)) wrong.push({ node: key, message: "Map keys must be unique" });
        keys.add(name);
      }
    },
  });
  return { secret: hasSecret, wrong };
}

/** What the scalar is a part of, where that is something which no object keeps secret. */
function placeInPlain(key: unknown, path: readonly (Document | Node | Pair)[]): string | undefined {
  if (key === "key") return "the key of a mapping";
  const keys = path.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []));
  return keys.find((name) => ["apiVersion", "kind", "metadata"].includes(name));
}

/** A scalar without quotes, as the tags below read it. */
function plainValue(source: string, onError: (message: string) => void): unknown {
  if (NULL.test?.test(source)) return null;
  if (TRUE.test?.test(source)) return true;
  if (FALSE.test?.test(source)) return false;
  return INT.test?.test(source) ? (numberOf(source, onError) ?? source) : source;
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
