import { isFields, type Fields } from "./object";

/** Fields that Pulumi's SDK reserves on resources: it drops them, or fails. */
const OF_RESOURCES = ["id", "urn", "hasOwnProperty"];

/** Key by which Pulumi's SDK and engine recognise a special mapping (`specialSigKey` of the SDK). */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Returns the error about a key that Pulumi does not support in an object; undefined if there is none. */
export function keyProblem(object: Fields): string | undefined {
  const field = Object.keys(object).find((key) => OF_RESOURCES.includes(key) || key.startsWith("__"));
  const key = field ?? reservedIn(object);
  return key === undefined ? undefined : `has the key ${key}, which Pulumi reserves; remove it`;
}

/** Returns a key that has a special meaning for Pulumi or JavaScript at any level. */
function reservedIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstOf(value.map(reservedIn));
  if (!isFields(value)) return undefined;
  const key = Object.keys(value).find((one) => {
    return one === "__proto__" || one === SIGNATURE || one.startsWith("__pulumi");
  });
  return key ?? firstOf(Object.values(value).map(reservedIn));
}

function firstOf(found: readonly (string | undefined)[]): string | undefined {
  return found.find((key) => key !== undefined);
}
