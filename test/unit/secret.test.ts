import { Secret, secretsIn, withoutSecrets } from "../../components/base/secret";

test("the secrets in a value are those of its maps and lists too", () => {
  const value = { a: new Secret("1"), b: ["x", { c: new Secret("2") }], d: null, e: 3 };
  expect(secretsIn(value)).toEqual(["1", "2"]);
  expect(secretsIn(undefined)).toEqual([]);
});

test.each<[string, string[], string]>([
  ["no a here", [], "no a here"],
  ["1 of 10.0.0.1:31, 1.5 and 1.", ["1"], "[secret] of 10.0.0.1:31, 1.5 and [secret]."],
  ["true is untrue", ["true"], "[secret] is untrue"],
  ["nodePort 31547, not 131547", ["0x7b3b"], "nodePort [secret], not 1[secret]"],
  ["mode 420", ["0644"], "mode [secret]"],
  ['key "a\\nb" or a b', ["a\nb"], 'key "[secret]" or a b'],
  ["login u:pass", ["", "pass"], "login u:[secret]"],
  // the longest one first, or its end would be shown
  ["passw0rd", ["pass", "passw0rd"], "[secret]"],
  // a short one is not looked for in what stands for others
  ["s and pass", ["s", "pass"], "[secret] and [secret]"],
  ["a.b|c axb", ["a.b|c"], "[secret] axb"],
  ["\\d [x-z]/$& y", ["[x-z]/$&", "\\d"], "[secret] [secret] y"],
])("%j without %j", (text, secrets, expected) => {
  expect(withoutSecrets(text, secrets)).toBe(expected);
});
