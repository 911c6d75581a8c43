/**
 * The value under a key that somebody wrote; undefined where the record has none. A plain `record[key]` finds
 * `constructor` and its like in every object.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
