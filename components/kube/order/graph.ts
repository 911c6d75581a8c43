/** A graph: for each node, the nodes that it depends on. */
export type Graph = Map<string, Set<string>>;

/** Finds a cycle in the graph, as a path that ends where it begins. Undefined: there is none. */
export function findCycle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | undefined => {
    if (done.has(node)) return undefined;
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node];
    path.push(node);
    for (const next of [...(graph.get(node) ?? [])].sort()) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of [...graph.keys()].sort()) {
    const cycle = visit(node);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Returns true if `from` depends on `to`, directly or indirectly. */
export function reaches(graph: Graph, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(graph.get(from) ?? [])].some((next) => reaches(graph, next, to, seen));
}

/** Returns all direct and indirect dependencies of each node in an acyclic graph. */
export function closure(graph: Graph): Map<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>();
  const visit = (node: string): ReadonlySet<string> => {
    const known = all.get(node);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const next of graph.get(node) ?? []) {
      found.add(next);
      for (const further of visit(next)) found.add(further);
    }
    all.set(node, found);
    return found;
  };
  for (const node of graph.keys()) visit(node);
  return all;
}

/** Removes dependencies that others imply: if a depends on b and c, and b on c, then a keeps only b. */
export function reduce(graph: Graph): Graph {
  const all = closure(graph);
  return new Map(
    [...graph].map(([node, direct]) => {
      const implied = new Set([...direct].flatMap((next) => [...(all.get(next) ?? [])]));
      return [node, new Set([...direct].filter((next) => !implied.has(next)))];
    }),
  );
}
