import { isAlias, isMap, isPair, isScalar, isSeq, type Alias, type Document, type Node } from "yaml";
import { limits } from "../limits";

export interface StructureProblem {
  readonly node: Node;
  /** Message without any part of the text, which may be a secret. */
  readonly message: string;
}

/**
 * Problems for which the YAML parser would need time that grows with the square of the document's size, or that it does
 * not find.
 */
export interface YamlStructure {
  /** Duplicate keys, too deep nesting, and aliases with too much content. */
  readonly problems: readonly StructureProblem[];
  /** True if the document exceeds a limit, and must not be traversed. */
  readonly isTooLarge: boolean;
  /** The node of each alias, except aliases without an anchor before them. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Aliases without an anchor before them. */
  readonly unresolved: readonly Alias[];
  /** Aliases inside of the node to which they refer. */
  readonly circular: readonly Alias[];
}

/** Depth and size of a node with its aliases resolved. */
interface Extent {
  readonly depth: number;
  readonly bytes: number;
}

const NOTHING: Extent = { depth: 0, bytes: 0 };

/** Message for a duplicate key. */
export const DUPLICATE_KEY = "a key appears twice in a mapping";

/** Size in bytes that each node counts in addition to its text. */
const NODE_BYTES = 16;

/**
 * Traverses a document once. The document must be parsed with `uniqueKeys: false`, because the parser compares each key
 * with all keys before it. Aliases must be resolved by `targets`, because `Alias.resolve` traverses the whole document.
 * Without problems, `toJS({ maxAliasCount: -1 })` and recursion over the nodes are safe.
 */
export function structureOf(document: Document): YamlStructure {
  const structure = new Structure();
  structure.measure(document.contents, 0);
  return structure;
}

class Structure implements YamlStructure {
  readonly problems: StructureProblem[] = [];
  readonly targets = new Map<Alias, Node>();
  readonly unresolved: Alias[] = [];
  readonly circular: Alias[] = [];
  /** Nodes by anchor; a later node replaces an earlier one with the same anchor. */
  readonly #anchored = new Map<string, Node>();
  /** Extents of complete nodes with an anchor. */
  readonly #extents = new Map<Node, Extent>();
  /** Problems that were reported; each is reported once. */
  readonly #reported = new Set<string>();
  #names = 0;
  #aliasBytes = 0;

  measure(node: unknown, depth: number): Extent {
    if (isAlias(node)) return this.#alias(node, depth);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return NOTHING;
    if (depth > limits.yamlDepth) return this.#tooDeep(node);
    const { anchor } = node;
    if (anchor !== undefined) {
      this.#anchored.set(anchor, node);
      this.#countName(node);
    }
    const extent = isScalar(node)
      ? { depth: 0, bytes: NODE_BYTES + (node.source?.length ?? 0) }
      : this.#collection(node.items, depth);
    if (isMap(node)) this.#keys(node.items);
    if (anchor !== undefined) this.#extents.set(node, extent);
    return extent;
  }

  #collection(items: readonly unknown[], depth: number): Extent {
    let deepest = 0;
    let bytes = NODE_BYTES;
    for (const item of items) {
      for (const part of isPair(item) ? [item.key, item.value] : [item]) {
        const extent = this.measure(part, depth + 1);
        deepest = Math.max(deepest, extent.depth);
        bytes += extent.bytes;
      }
    }
    return { depth: deepest + 1, bytes };
  }

  #alias(alias: Alias, depth: number): Extent {
    this.#countName(alias);
    const target = this.#anchored.get(alias.source);
    if (target === undefined) {
      this.unresolved.push(alias);
      return NOTHING;
    }
    this.targets.set(alias, target);
    const extent = this.#extents.get(target);
    if (extent === undefined) {
      this.circular.push(alias);
      return NOTHING;
    }
    this.#aliasBytes += extent.bytes;
    if (this.#aliasBytes > limits.yamlAliasBytes)
      this.#report(
        alias,
        `has aliases that expand to more than ${limits.yamlAliasBytes} bytes, which is the limit`,
      );
    return depth + extent.depth > limits.yamlDepth ? this.#tooDeep(alias) : extent;
  }

  #keys(pairs: readonly { readonly key: unknown }[]): void {
    const keys = new Set<unknown>();
    for (const { key } of pairs) {
      if (!isScalar(key)) continue;
      if (keys.has(key.value)) this.problems.push({ node: key, message: DUPLICATE_KEY });
      keys.add(key.value);
    }
  }

  #countName(node: Node): void {
    this.#names++;
    if (this.#names > limits.yamlAliases)
      this.#report(node, `has more than ${limits.yamlAliases} anchors and aliases, which is the limit`);
  }

  #tooDeep(node: Node): Extent {
    this.#report(node, `is nested deeper than ${limits.yamlDepth} levels, which is the limit`);
    return NOTHING;
  }

  get isTooLarge(): boolean {
    return this.#reported.size > 0;
  }

  #report(node: Node, message: string): void {
    if (!this.#reported.has(message)) this.problems.push({ node, message });
    this.#reported.add(message);
  }
}
