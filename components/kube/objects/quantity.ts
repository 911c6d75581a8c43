/**
 * A quantity of Kubernetes in the syntax of `resource.Quantity`, such as 10Gi, 500m or 1e9:
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */

const QUANTITY = /^([-+]?)(\d+(?:\.\d*)?|\.\d+)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([-+]?\d+))?$/;

/** Exponents of suffixes: powers of ten for decimal ones, powers of two for binary ones. */
const TENS: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const TWOS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Decimal places of the smallest unit, 1n. */
const DIGITS = 9;
const LARGEST = (2n ** 63n - 1n) * 10n ** BigInt(DIGITS);

/**
 * Converts a quantity to billionths, the smallest unit, to compare quantities. As in Kubernetes, finer values are
 * rounded up, and the maximum is 2^63-1.
 * @param quantity a string or a number
 * @returns undefined if it is not a quantity
 */
export function parseQuantity(quantity: unknown): bigint | undefined {
  const [, sign, number = "", suffix = "", exponent = 0] = QUANTITY.exec(String(quantity)) ?? [];
  if (number === "") return undefined;
  const [whole = "", fraction = ""] = number.split(".");
  const digits = BigInt(whole + fraction) << BigInt(TWOS[suffix] ?? 0);
  const size = scaled(digits, (TENS[suffix] ?? 0) + Number(exponent) - fraction.length + DIGITS);
  return sign === "-" ? -size : size;
}

/** A number times a power of ten, limited to LARGEST. */
function scaled(digits: bigint, tens: number) {
  if (digits === 0n) return 0n;
  if (tens < 0) return roundedUp(digits, -tens);
  // more zeros than the largest has digits need not be written out
  const size = tens > 30 ? LARGEST : digits * 10n ** BigInt(tens);
  return size > LARGEST ? LARGEST : size;
}

function roundedUp(digits: bigint, tens: number) {
  if (tens > digits.toString().length) return 1n;
  const unit = 10n ** BigInt(tens);
  const size = (digits + unit - 1n) / unit;
  return size > LARGEST ? LARGEST : size;
}
