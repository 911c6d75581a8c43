import { isDeepStrictEqual } from "node:util";
import { own } from "../../components/base/own";
import { isFields, type Fields } from "../../components/kube/objects/object";

/** The values of the first map that are missing or different in the second. */
export function difference(one: Fields, other: Fields): Fields {
  const differing = Object.entries(one).flatMap(([key, value]): [string, unknown][] => {
    const there = own(other, key);
    if (isDeepStrictEqual(value, there)) return [];
    return [[key, isFields(value) && isFields(there) ? difference(value, there) : value]];
  });
  return Object.fromEntries(differing);
}

/** Paths of the values of a map. */
export function leaves(map: Fields): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) =>
    isFields(value) ? leaves(value).map((path) => `${key}.${path}`) : [key],
  );
}
