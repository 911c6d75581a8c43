import fc from "fast-check";
import { bytesOf, toGiB, toMiB } from "../../../components/vnfd/scalar";

test.each<[string, string, number | undefined]>([
  ["4 GB", "MB", 4 * 1024 ** 3],
  ["2 GiB", "MB", 2 * 1024 ** 3],
  ["512 MB", "GB", 512 * 1024 ** 2],
  ["512MiB", "GB", 512 * 1024 ** 2],
  ["1 kB", "MB", 1024],
  ["1 KiB", "MB", 1024],
  ["1.5 GiB", "MB", 1.5 * 1024 ** 3],
  ["1 TB", "MB", 1024 ** 4],
  ["1 TiB", "MB", 1024 ** 4],
  ["7 B", "MB", 7],
  ["4 gb", "MB", 4 * 1024 ** 3],
  ["4096", "MB", 4096 * 1024 ** 2],
  ["45", "GB", 45 * 1024 ** 3],
  ["0", "GB", 0],
  ["4 GX", "MB", undefined],
  ["-1 GB", "MB", undefined],
  ["GB", "MB", undefined],
  ["", "MB", undefined],
  ["4 GB 2 MB", "MB", undefined],
  ["1e3 MB", "MB", undefined],
  ["99999999999999999999 TB", "MB", undefined],
])("%j, bare numbers being %s, is %p bytes", (text, unit, bytes) => {
  expect(bytesOf(text, unit)).toBe(bytes);
});

test("memory and storage are never less than what is asked for, and less than one unit more", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (bytes) => {
      const [mib, gib] = [toMiB(bytes) ?? -1, toGiB(bytes) ?? -1];
      expect(mib * 1024 ** 2).toBeGreaterThanOrEqual(bytes);
      expect((mib - 1) * 1024 ** 2).toBeLessThan(bytes);
      expect(gib * 1024 ** 3).toBeGreaterThanOrEqual(bytes);
      expect((gib - 1) * 1024 ** 3).toBeLessThan(bytes);
    }),
  );
});

test("an absent size stays undefined", () => {
  expect([toMiB(undefined), toGiB(undefined)]).toEqual([undefined, undefined]);
});
