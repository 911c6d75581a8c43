import { isMap, isScalar, isSeq, type Node } from "../base/yaml/yaml";

const known = new WeakMap<Node, ReadonlyMap<string, Node>>();
const isMergeKey = (key: Node | undefined) => isScalar(key) && key.value === "<<";

/**
 * Returns the pairs of a map by key. Its own pairs take precedence over those of a merge key (`<<`), and earlier merged
 * maps over later ones. Returns none for other values.
 */
export function pairsOf(
  map: Node,
  resolve: (node: Node | undefined) => Node | undefined,
): ReadonlyMap<string, Node> {
  const before = known.get(map);
  if (before !== undefined) return before;
  const pairs = new Map<string, Node>();
  // set before it is filled: a map that merges itself must end
  known.set(map, pairs);
  if (!isMap<Node, Node>(map)) return pairs;
  const own = map.items.map(({ key, value }) => [resolve(key), value] as const);
  for (const [key, value] of own) {
    if (!isMergeKey(key)) continue;
    const merged = resolve(value ?? undefined);
    const maps = isSeq<Node>(merged) ? merged.items.map(resolve) : [merged];
    for (const m of maps) {
      if (m) for (const [k, v] of pairsOf(m, resolve)) if (!pairs.has(k)) pairs.set(k, v);
    }
  }
  for (const [key, value] of own) {
    if (isScalar(key) && !isMergeKey(key) && value) pairs.set(key.source ?? String(key.value), value);
  }
  return pairs;
}
