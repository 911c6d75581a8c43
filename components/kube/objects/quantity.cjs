// @ts-check
// Quantities of Kubernetes, as `resource.Quantity` reads them, such as 10Gi, 500m or 1e9:
// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
// Plain JavaScript, as programs that node runs as they are need it too.
"use strict";

const QUANTITY = /^([-+]?)(\d+(?:\.\d*)?|\.\d+)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([-+]?\d+))?$/;

/** The power of ten of a decimal suffix, and that of two of a binary one. @type {Readonly<Record<string, number>>} */
const TENS = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
/** @type {Readonly<Record<string, number>>} */
const TWOS = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** The finest quantity is 1n. */
const DIGITS = 9;
const LARGEST = (2n ** 63n - 1n) * 10n ** BigInt(DIGITS);

/**
 * A quantity in billionths, the finest that there are, so that any two can be compared. What is finer is rounded up, and
 * what is larger than 2^63-1 is that, as in Kubernetes.
 *
 * @param {unknown} quantity a text or a number
 * @returns {bigint | undefined} undefined where it is none
 */
function parseQuantity(quantity) {
  const [, sign, number = "", suffix = "", exponent = 0] = QUANTITY.exec(String(quantity)) ?? [];
  if (number === "") return undefined;
  const [whole = "", fraction = ""] = number.split(".");
  const digits = BigInt(whole + fraction) << BigInt(TWOS[suffix] ?? 0);
  const size = scaled(digits, (TENS[suffix] ?? 0) + Number(exponent) - fraction.length + DIGITS);
  return sign === "-" ? -size : size;
}

/** A number times a power of ten, no larger than LARGEST. @param {bigint} digits @param {number} tens */
function scaled(digits, tens) {
  if (digits === 0n) return 0n;
  if (tens < 0) return roundedUp(digits, -tens);
  // more zeros than the largest has digits need not be written out
  const size = tens > 30 ? LARGEST : digits * 10n ** BigInt(tens);
  return size > LARGEST ? LARGEST : size;
}

/** @param {bigint} digits @param {number} tens */
function roundedUp(digits, tens) {
  if (tens > digits.toString().length) return 1n;
  const unit = 10n ** BigInt(tens);
  const size = (digits + unit - 1n) / unit;
  return size > LARGEST ? LARGEST : size;
}

module.exports = { parseQuantity };
