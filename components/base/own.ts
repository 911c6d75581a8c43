/**
 * Returns the value of a key that comes from outside; undefined if the record does not have it. A plain `record[key]`
 * would also find inherited properties such as `constructor`.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
