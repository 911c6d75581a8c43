/** The rules of k8s.io/apimachinery/pkg/api/resource, with the cases of its own tests. */
import { parseQuantity } from "../../../components/kube/objects/quantity";

/** In units of 1; a fraction in billionths. */
const units = (whole: bigint | number) => BigInt(whole) * 10n ** 9n;
const LARGEST = units(2n ** 63n - 1n);

describe("a quantity", () => {
  it.each<[string | number, bigint]>([
    ["0", 0n],
    ["0n", 0n],
    ["0Ei", 0n],
    [0, 0n],
    ["100", units(100)],
    ["+1", units(1)],
    ["-1", units(-1)],
    ["5n", 5n],
    ["4u", 4_000n],
    ["3m", 3_000_000n],
    ["8k", units(8_000)],
    ["7M", units(7e6)],
    ["6G", units(6e9)],
    ["5T", units(5e12)],
    ["2P", units(2e15)],
    ["1E", units(10n ** 18n)],
    ["1Ki", units(1024)],
    ["7Mi", units(7 * 1024 ** 2)],
    ["6Gi", units(6 * 1024 ** 3)],
    ["5Ti", units(5 * 1024 ** 4)],
    ["4Pi", units(4n * 1024n ** 5n)],
    ["3Ei", units(3n * 1024n ** 6n)],
    ["1e3", units(1_000)],
    ["1E6", units(1e6)],
    ["1e+9", units(1e9)],
    ["1E-3", 1_000_000n],
    [1e21, LARGEST],
    ["1.5Gi", units(1.5 * 1024 ** 3)],
    ["-1.5Ki", units(-1536)],
    ["100.035k", units(100_035)],
    ["0.001", 1_000_000n],
    ["0.00050k", 500_000_000n],
    ["0.025Ti", 27_487_790_694_400_000_000n],
    [".001", 1_000_000n],
    ["1.", units(1)],
    ["1.G", units(1e9)],
    ["0001", units(1)],
  ])("%s is %s billionths", (quantity, size) => {
    expect(parseQuantity(quantity)).toBe(size);
  });

  it.each<[string, bigint]>([
    ["0.1n", 1n],
    ["1.1n", 2n],
    ["-1.1n", -2n],
    ["0.000000000001Ki", 2n],
    ["1e-100000000", 1n],
    ["9e-10", 1n],
  ])("is rounded up if it is finer than a billionth: %s", (quantity, size) => {
    expect(parseQuantity(quantity)).toBe(size);
  });

  it.each([
    "9223372036854775807",
    "9223372036854775808",
    "9Ei",
    "12E",
    "1e100000000",
    "9223372036854775807.5m",
  ])("is at most 2^63-1: %s", (quantity) => {
    expect(parseQuantity(quantity)).toBe(
      quantity.endsWith("m") ? 9_223_372_036_854_775_807_500_000n : LARGEST,
    );
  });

  it.each([
    ...["", ".", "-", "1.1.M", "1+1.0M", "0.1mi", "0.1am", "aoeu", ".5i", "1i", "-3.01i", "-3.01e-", "1e"],
    ...[
      " 1",
      "1 ",
      "1\n",
      "1K",
      "1ki",
      "1KiB",
      "1e1.5",
      "0x10",
      "NaN",
      "Infinity",
      "10%",
      "null",
      "undefined",
    ],
  ])("is not %j", (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it.each([
    ["1Gi", "1024Mi"],
    ["1500m", "1.5"],
    ["0.1Gi", "107374182400m"],
    ["1e3", "1k"],
    ["1E", "1e18"],
  ])("%s equals %s", (one, other) => {
    expect(parseQuantity(one)).toBe(parseQuantity(other));
  });
});
