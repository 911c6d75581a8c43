import { parseCidr } from "../base/net/cidr";
import type { Place } from "../base/findings";
import { Secret, type Scalar } from "../base/secret";
import { inner, mapSchema, partOf, resolve, type Schema } from "./schema-part";
import { textProblem } from "./text";

/** Results of checking settings, other than errors. */
export interface CheckResults {
  readonly warnings: string[];
  /** Settings whose values are encrypted in the stack config. */
  readonly encrypted: Set<string>;
}

/**
 * Wraps values that are marked writeOnly or encrypted, and clears the host bits of CIDRs. Records encrypted values that
 * would become plain text, strings with control characters, and numbers too large to be exact.
 */
export function refine(value: unknown, schemaOfValue: Schema, place: Place, found: CheckResults): unknown {
  const known = resolve(schemaOfValue);
  if (typeof value === "string") {
    const problem = textProblem(value, known);
    if (problem !== undefined) place.fault(problem);
    // OpenSSH reads no key whose lines end as on Windows
    if (known.format === "private-key") return new Secret(value.replaceAll("\r\n", "\n"));
    if (known.writeOnly) return new Secret(value);
    if (found.encrypted.has(place.text)) return kept(value, known, place);
    return ["cidr", "ipv4-cidr", "ipv6-cidr"].includes(known.format ?? "")
      ? withoutHostBits(value, place, found.warnings)
      : value;
  }
  // what was written is rounded by now, by the engine or when its JSON was read; integers of ours have limits below
  if (known.type !== "integer" && Number.isInteger(value) && !Number.isSafeInteger(value))
    place.fault("is a number of 2^53 or more, which is not kept exactly; quote it if it is a string");
  if ((typeof value === "number" || typeof value === "boolean") && found.encrypted.has(place.text))
    return kept(value, known, place);
  if (Array.isArray(value)) {
    return value.map((item, i) => refine(item, inner(known, known.items), place.get(i), found));
  }
  if (typeof value !== "object" || value === null) return value;
  const objectSchema = mapSchema(known);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const at = place.get(key);
      const problem = textProblem(key, { type: "string" });
      if (problem !== undefined) at.fault(`the key ${problem}`);
      return [key, refine(item, inner(objectSchema, partOf(objectSchema, key)), at, found)];
    }),
  );
}

/** Wraps an encrypted value. Records an error unless the schema allows its encryption. */
function kept(value: Scalar, { encrypted: refusal = IN_PLAIN }: Schema, place: Place): Secret {
  if (typeof refusal === "string") place.fault(`is encrypted, ${refusal}`);
  return new Secret(value);
}

const IN_PLAIN = "and would be unencrypted in the state; set it without --secret";

function withoutHostBits(text: string, place: Place, warnings: string[]): string {
  const canonical = parseCidr(text)?.text ?? text;
  if (canonical !== text) warnings.push(`${place.text}: ${text} has host bits set; ${canonical} is used`);
  return canonical;
}
