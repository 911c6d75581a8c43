import * as pulumi from "@pulumi/pulumi";

/**
 * Creates resources with short stack traces.
 * The SDK records a stack trace for each promise and resource. Long ones, resolved by source maps, are half of the cost
 * of creating the resources of a large stack, and a seventh of the state, which contains those of resources.
 * Other parts of the program keep their stack traces.
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
