/** Any manifest is planned or has faults: fast-check tells the seed of a failure. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Fault } from "../../../components/base/fault";
import { fuzz } from "../../support/fuzz";
import { planned } from "./support";

const FOLDER = join(__dirname, "../../../vnf-packages/three-tier-cnf/Files/kubernetes");
const MANIFESTS = ["api.yaml", "config.yaml", "jobs.yaml"].map((file) =>
  readFileSync(join(FOLDER, file), "utf8"),
);
const ODD = [
  ...["", "[]", "{}", "~", "-1", "1e999", "0o8", "*x", "&x [*x]", "<<: *x", "!!binary =", "!!js/function f"],
  ...[
    "__proto__: {}",
    "constructor",
    "- a",
    '"',
    "kind: List",
    "items: {}",
    "metadata:",
    "spec: []",
    "\u0000",
    "\t",
  ],
];

const lines = MANIFESTS.join("\n---\n").split("\n");
const change = fc.record({
  line: fc.nat(lines.length - 1),
  to: fc.oneof(fc.constantFrom(...ODD), fc.string({ maxLength: 8 })),
  how: fc.constantFrom("value", "whole", "drop", "double", "indent"),
});

it("random changes cause no crash", () => {
  let isPlanned = 0;
  let isRefused = 0;
  fuzz(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const text = changes.reduce(changed, lines).join("\n");
      try {
        planned(text);
        isPlanned++;
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
        isRefused++;
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(isPlanned, isRefused)).toBeGreaterThan(0);
});

function changed(text: string[], { line, to, how }: { line: number; to: string; how: string }): string[] {
  const old = text[line] ?? "";
  const made: Record<string, string[]> = {
    value: [old.replace(/:.*/, `: ${to}`)],
    whole: [to],
    drop: [],
    double: [old, old],
    indent: [`  ${old}`],
  };
  return text.toSpliced(line, 1, ...(made[how] ?? []));
}
