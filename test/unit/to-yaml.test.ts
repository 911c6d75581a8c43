/** YAML for readers of YAML 1.1 and of YAML 1.2. */
import fc from "fast-check";
import { parse } from "yaml";
import { readYaml } from "../../components/kube/manifests/yaml";
import { toYaml } from "../../components/base/yaml/yaml";

const WORDS = [
  "yes",
  "No",
  "on",
  "y",
  "null",
  "~",
  "true",
  "1_000",
  "1:30",
  "0777",
  "0o17",
  "0x1F",
  "0b11",
  "1e3",
  ".5",
  "2026-01-01",
  "",
];

it.each(WORDS)("the text %j stays a text, as a value and as a key", (word) => {
  const value = { [word === "" ? "empty" : word]: word };
  const text = toYaml(value);
  expect(readYaml(text, []).map((document) => document.value)).toEqual([value]);
  for (const version of ["1.1", "1.2"] as const) expect(parse(text, { version })).toEqual(value);
});

it("any text does", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+.0-9a-fxob_:eynYN]{1,6}$/)), (word) => {
      const text = toYaml({ word });
      for (const version of ["1.1", "1.2"] as const) expect(parse(text, { version })).toEqual({ word });
      const [read] = readYaml(text, []);
      expect(read?.value).toEqual({ word });
    }),
  );
});
