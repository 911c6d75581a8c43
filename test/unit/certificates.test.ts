import { isCertificates } from "../../components/base/keys/certificates";

const one = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
const key = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----";

test.each<[string, string, boolean]>([
  ["one", `${one}\n`, true],
  ["one without a last line end", one, true],
  ["one with line ends of Windows", `${one.replaceAll("\n", "\r\n")}\r\n`, true],
  ["several, with comments around them", `# of the site\n${one}\nIssuer: CN = a - b\n\n${one}\n# end`, true],
  ["none", "", false],
  ["a comment alone", "# of the site\n", false],
  ["one that is cut off", one.slice(0, -5), false],
  ["one that is cut off before another", `${one.slice(0, -5)}\n${one}`, false],
  ["a key behind it", `${one}\n${key}\n`, false],
  ["a key before it", `${key}\n${one}\n`, false],
  ["a key that is cut off", `${one}\n-----BEGIN RSA PRIVATE KEY-----\nMIIE`, false],
  ["another text in its place", one.replace("MIIB", "$(id)"), false],
])("%s", (_, text, expected) => {
  expect(isCertificates(text)).toBe(expected);
});
