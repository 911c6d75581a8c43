import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { PackageFault } from "../../../components/vnfd/model";
import { loadPackage } from "../../../components/vnfd/package";
import { fuzz } from "../../support/fuzz";
import { packageOf, vnfd } from "./support";

test("a VNFD that is changed at random loads or has faults, and never fails otherwise", () => {
  const lines = vnfd.split("\n");
  const words = [
    "",
    "[]",
    "{}",
    "~",
    "-1",
    "1e9",
    "*x",
    "&x [ *x ]",
    "<<: *x",
    "{ get_input: x }",
    "__proto__",
    "constructor",
    "- a",
    '"',
  ];
  const change = fc.record({
    line: fc.nat(lines.length - 1),
    word: fc.nat(30),
    to: fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })),
    how: fc.constantFrom("word", "value", "drop", "double", "indent"),
  });
  const changed = (
    text: string[],
    { line, word, to, how }: { line: number; word: number; to: string; how: string },
  ) => {
    const old = text[line] ?? "";
    const parts = old.split(/([A-Za-z_0-9.]+)/);
    const index = parts.length < 2 ? 0 : (word % ((parts.length - 1) / 2)) * 2 + 1;
    const made: Record<string, string[]> = {
      word: [parts.with(index, to).join("")],
      value: [old.replace(/:.*/, `: ${to}`)],
      drop: [],
      double: [old, old],
      indent: [`  ${old}`],
    };
    return text.toSpliced(line, 1, ...(made[how] ?? []));
  };
  let loaded = 0;
  let refused = 0;
  const location = packageOf(vnfd);
  fuzz(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      writeFileSync(join(location, "vnfd.yaml"), changes.reduce(changed, lines).join("\n"));
      try {
        loadPackage(location);
        loaded++;
      } catch (e) {
        expect(e).toBeInstanceOf(PackageFault);
        expect((e as PackageFault).findings.length).toBeGreaterThan(0);
        refused++;
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(loaded, refused)).toBeGreaterThan(0);
});
