/** Whether a value has more than `most` maps and lists in one another. It does not call itself, so it takes any depth. */
export function isDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isCollection);
  for (let depth = 0; depth < most && level.length > 0; depth++)
    level = level.flatMap((one) => Object.values(one) as unknown[]).filter(isCollection);
  return level.length > 0;
}

function isCollection(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
