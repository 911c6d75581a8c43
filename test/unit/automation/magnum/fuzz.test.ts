/** Whatever is in the files, `convert magnum` writes a config or says what is wrong: fast-check tells the seed of a failure. */
import fc from "fast-check";
import { parse } from "yaml";
import { Fault } from "../../../../automation/fault";
import { convert } from "../../../../automation/magnum/convert";
import { readRecords } from "../../../../automation/magnum/records";
import { settingsYaml } from "../../../../automation/conversion/yaml";
import { fuzz } from "../../../support/fuzz";
import { clusterShown, groupShown, templateShown } from "./shown";

const SHOWN = [templateShown(), clusterShown(), groupShown()];
const ODD: unknown[] = [
  null,
  "",
  [],
  {},
  -1,
  1e300,
  true,
  { toString: 1, valueOf: 1 },
  "__proto__",
  "a\n\u001b[2J",
];

const value = fc.oneof(fc.constantFrom(...ODD), fc.string(), fc.jsonValue({ maxDepth: 3 }));
const change = fc.record({
  file: fc.nat(SHOWN.length - 1),
  key: fc.oneof(
    fc.constantFrom(...SHOWN.flatMap((shown) => Object.keys(shown))),
    fc.constantFrom("__proto__", "constructor", ""),
  ),
  // of the property itself, or of a label in it
  label: fc.option(fc.constantFrom("kube_tag", "auto_scaling_enabled", "max_node_count", "__proto__"), {
    nil: undefined,
  }),
  value,
});

function convertTexts(texts: readonly string[]): void {
  try {
    parse(settingsYaml(convert(readRecords(texts.map((text, i) => ({ path: `${i}.json`, text }))))));
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
  }
}

it("the conversion takes or refuses what differs from what the client prints", () => {
  fuzz(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      const files = SHOWN.map((shown) => ({ ...shown }));
      for (const { file, key, label, value } of changes) {
        const entry = label === undefined ? value : Object.fromEntries([[label, value]]);
        files[file] = Object.fromEntries([...Object.entries(files[file] ?? {}), [key, entry]]);
      }
      convertTexts(files.map((shown) => JSON.stringify(shown)));
    }),
    { numRuns: 300 },
  );
});

it.each([
  ["no JSON", "<html>"],
  [
    "deep nesting",
    `{"uuid": "u", "coe": "kubernetes", "image_id": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  ],
])("the conversion refuses %s", (_, text) => {
  const read = () => readRecords([{ path: "t.json", text }]);
  expect(read).toThrow(Fault);
  expect(read).toThrow(
    "these cannot be converted:\n  t.json: is not the output of openstack coe cluster show",
  );
});
