import * as pulumi from "@pulumi/pulumi";
import type { Place } from "../base/findings";
import { LATE_KUBECONFIG } from "../kube/access/late-kubeconfig";
import { isFields } from "../kube/objects/object";
import { own } from "../base/own";
import { Secret, type Scalar } from "../base/secret";
import { LATE_ID } from "../base/uuid";
import { inner, mapSchema, partOf, resolve, type Schema } from "../settings/schema-part";

/**
 * Waits for outputs of other resources in arguments, and returns the arguments in the form of the stack config.
 * Strings, numbers and booleans that are secret, by themselves or in a secret map or list, become Secrets. Keys of maps
 * stay plain, as in a stack config. In a preview a value may be unknown. If it is a secret, or its schema has `late`,
 * the plan does not depend on it, and a substitute is used; any other unknown value is an error.
 * @param schema schema of the arguments
 * @param place place of the arguments
 * @param isSecret true if the value is in a secret one. @default false
 */
export async function settled(
  value: unknown,
  schema: Schema,
  place: Place,
  isSecret = false,
): Promise<unknown> {
  const known = resolve(schema);
  if (pulumi.Output.isInstance(value)) return settledOutput(value, known, place, isSecret);
  if (value instanceof Promise) return settled(await value, known, place, isSecret);
  if (Array.isArray(value)) {
    const items = value.map((item, i) => settled(item, inner(known, known.items), place.get(i), isSecret));
    return Promise.all(items);
  }
  if (isFields(value)) {
    const entries = Object.entries(value)
      // as JSON leaves them out
      .filter(([, item]) => item !== undefined)
      .map(
        async ([key, item]) =>
          [key, await settled(item, partIn(known, key), place.get(key), isSecret)] as const,
      );
    return Object.fromEntries(await Promise.all(entries));
  }
  return isSecret && isScalar(value) ? new Secret(value) : value;
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}

async function settledOutput(
  output: pulumi.Output<unknown>,
  schema: Schema,
  place: Place,
  isInSecret: boolean,
): Promise<unknown> {
  const { known, isSecret } = await answerOf(output);
  // what a function has made the value of may have outputs in it again
  if (known !== undefined) return settled(known.value, schema, place, isSecret || isInSecret);
  const late = standIn(schema);
  if (late !== undefined)
    return (isSecret || isInSecret) && !(late instanceof Secret) ? new Secret(late) : late;
  place.fault(
    "is known only during the update, but what is created depends on it; set a value that is known before",
  );
  return undefined;
}

/** Waits for an output. In a preview its value may be unknown. */
export async function answerOf(
  output: pulumi.Output<unknown>,
): Promise<{ readonly known: { readonly value: unknown } | undefined; readonly isSecret: boolean }> {
  let known: { readonly value: unknown } | undefined;
  // nothing is called with a value that is not known
  const read = output.apply((value) => void (known = { value }));
  const isSecret = await pulumi.isSecret(read);
  return { known, isSecret };
}

/**
 * Returns a preview's substitute for an unknown value. Undefined if the plan depends on the value, such as on the keys
 * of a map and the length of a list.
 */
function standIn({
  late,
  writeOnly,
  encrypted,
  type = "",
  format = "",
}: Schema): string | Secret | undefined {
  if (late) return LATE_ID;
  if ((!writeOnly && encrypted !== true) || type === "object" || type === "array") return undefined;
  return new Secret(own(STAND_INS, format) ?? "known only in the run");
}

/** Substitutes by the format of the schema. */
const STAND_INS: Readonly<Record<string, string>> = {
  kubeconfig: LATE_KUBECONFIG,
  "private-key": "-----BEGIN PRIVATE KEY-----\nknown only in the run\n-----END PRIVATE KEY-----\n",
  "proxy-url": "http://known-only-in-the-run.invalid",
};

/** The schema of a value in a map. */
function partIn(known: Schema, key: string): Schema {
  const map = mapSchema(known);
  return inner(map, partOf(map, key));
}
