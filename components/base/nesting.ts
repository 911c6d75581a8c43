/** Depth of nested data. */

/**
 * Returns true for a value with more than `most` maps and lists in one another. It does not call itself, so it takes
 * any depth.
 */
export function isDeeper(value: unknown, most: number) {
  let level = [value].filter(isCollection);
  for (let depth = 0; depth < most && level.length > 0; depth++)
    level = level.flatMap((one): unknown[] => Object.values(one)).filter(isCollection);
  return level.length > 0;
}

function isCollection(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
