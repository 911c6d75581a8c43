/**
 * Returns the value of a key from outside; undefined if the record does not have the key. A plain `record[key]` would
 * find `constructor` and other inherited properties.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
