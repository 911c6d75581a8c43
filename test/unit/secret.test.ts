import { Secret, secretsIn, withoutSecrets } from "../../components/secret";

test("the secrets in a value are those of its maps and lists too", () => {
  const value = { a: new Secret("1"), b: ["x", { c: new Secret("2") }], d: null, e: 3 };
  expect(secretsIn(value)).toEqual(["1", "2"]);
  expect(secretsIn(undefined)).toEqual([]);
});

test.each<[string, string[], string]>([
  ["no a here", [], "no a here"],
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
