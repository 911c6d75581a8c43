import { isFields, shown } from "../../kube/objects/object";
import { Secret } from "../../base/secret";
import type { ReleaseWithChart } from "./planned-release";

/** The smallest whole number that Go prints with an exponent if it is a floating-point number. */
const WITH_EXPONENT = 1_000_000;

/**
 * Warnings about large whole numbers among a release's values that its chart prints into texts. Pulumi passes all
 * numbers to Helm as floating-point numbers, as Helm itself reads those of a values file, and a template prints them as
 * `2.0161216e+07`, unless it converts them to YAML, JSON or an integer.
 * @returns a line for each such value, with an object that shows it
 */
export function floatWarnings({ place, values, chart }: ReleaseWithChart): string[] {
  const objects = [...(chart?.objects ?? []), ...(chart?.hooks ?? []).map(({ object }) => object)];
  return largeNumbers(values, "").flatMap(({ key, value, isSecret }) => {
    const printed = goFloat(value);
    const found = objects.find((object) => JSON.stringify(object).includes(printed));
    if (found === undefined) return [];
    const [written, example] = isSecret ? ["a large number", "2.0161216e+07"] : [String(value), printed];
    const text = isSecret ? "" : `, "${value}"`;
    return [
      `${place.get("values").text}: ${key} is ${written}, and the chart renders it as ${example} in ${shown(found)}, as it does ` +
        `with a number of a values file: write it as a string under values${text}`,
    ];
  });
}

interface LargeNumber {
  readonly key: string;
  readonly value: number;
  readonly isSecret: boolean;
}

/** The numbers that Go would print with an exponent, with their keys. */
function largeNumbers(written: unknown, key: string): LargeNumber[] {
  const isSecret = written instanceof Secret;
  const value = isSecret ? written.revealScalar() : written;
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) >= WITH_EXPONENT ? [{ key, value, isSecret }] : [];
  if (Array.isArray(value)) return value.flatMap((item, i) => largeNumbers(item, `${key}[${i}]`));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    largeNumbers(item, key === "" ? name : `${key}.${name}`),
  );
}

/** Formats a number as Go does: the exponent has two digits or more. */
function goFloat(value: number): string {
  return value.toExponential().replace(/e\+(\d)$/, "e+0$1");
}
