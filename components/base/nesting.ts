/** Limits the depth of nested data. */

/** Returns true if maps and lists are nested deeper than `most`. It is not recursive, so it works for any depth. */
export function isDeeper(value: unknown, most: number) {
  let level = [value].filter(isCollection);
  for (let depth = 0; depth < most && level.length > 0; depth++)
    level = level.flatMap((one): unknown[] => Object.values(one)).filter(isCollection);
  return level.length > 0;
}

function isCollection(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
