import { isFields, shown } from "../../kube/object";
import type { GivenRelease } from "./planned-release";

/** From here on Go writes a whole number that it has as a floating-point number with an exponent. */
const WITH_EXPONENT = 1_000_000;

/**
 * Large whole numbers among a release's values that its chart has put into texts. Pulumi gives all numbers to Helm as
 * floating-point numbers, as Helm itself reads those of a values file, and a template that prints one prints
 * `2.0161216e+07`. One that turns it into YAML or JSON, or into an integer before, does not.
 *
 * @returns a line for each such value, with an object that shows it
 */
export function floatWarnings({ place, values, chart }: GivenRelease): string[] {
  const objects = [...(chart?.objects ?? []), ...(chart?.hooks ?? []).map(({ object }) => object)];
  return largeNumbers(values, "").flatMap(({ key, value }) => {
    const printed = goFloat(value);
    const found = objects.find((object) => JSON.stringify(object).includes(printed));
    return found === undefined
      ? []
      : [
          `${place.get("values").text}: ${key} is ${value}, and the chart prints it as ${printed} in ${shown(found)}, as it does ` +
            `with a number of a values file: write it as a text under values, "${value}"`,
        ];
  });
}

/** The numbers that Go would print with an exponent, by their keys. */
function largeNumbers(value: unknown, key: string): { readonly key: string; readonly value: number }[] {
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) >= WITH_EXPONENT ? [{ key, value }] : [];
  if (Array.isArray(value)) return value.flatMap((item, i) => largeNumbers(item, `${key}[${i}]`));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    largeNumbers(item, key === "" ? name : `${key}.${name}`),
  );
}

/** As Go prints it: the exponent has two digits or more. */
function goFloat(value: number): string {
  return value.toExponential().replace(/e\+(\d)$/, "e+0$1");
}
