import * as pulumi from "@pulumi/pulumi";

/**
 * Makes resources whose stack traces are short.
 *
 * The SDK takes one for each promise and resource. Taken whole, and looked up in the source maps, they are half of what
 * it costs to make the resources of a large stack; the engine would keep those of resources in the state, as a seventh of
 * it. What else is in the program has its stack traces as before.
 */
export function withShortStackTraces<T>(make: () => T): T {
  const globals = [
    [Error, "prepareStackTrace", undefined],
    [Error, "stackTraceLimit", 2],
    [pulumi.Resource, "stackTrace", () => []],
  ] as const;
  const former = globals.map(([owner, name]) => Reflect.get(owner, name) as unknown);
  for (const [owner, name, value] of globals) Reflect.set(owner, name, value);
  try {
    return make();
  } finally {
    globals.forEach(([owner, name], i) => Reflect.set(owner, name, former[i]));
  }
}
