import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { kubeconfigExpiry } from "../../../components/kube/access/kubeconfig-expiry";
import { toYaml } from "../../../components/base/yaml/yaml";

const certificate = (days: number) =>
  execFileSync(
    "openssl",
    `req -x509 -newkey ed25519 -noenc -keyout /dev/null -subj /CN=c -days ${days}`.split(" "),
    { stdio: ["ignore", "pipe", "ignore"] },
  );
const endOf = (pem: Buffer) => new Date(new X509Certificate(pem).validTo).toISOString().replace(".000", "");
const jwt = (claims: unknown) =>
  ["{}", JSON.stringify(claims), "s"].map((part) => Buffer.from(part).toString("base64url")).join(".");
const ofUser = (user: object) =>
  kubeconfigExpiry(
    toYaml({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://192.0.2.1:6443" } }],
      users: [
        { name: "other", user: { token: jwt({ exp: 1 }) } },
        { name: "u", user },
      ],
    }),
  );

it("a client certificate ends, of a chain its first one", () => {
  const [own, ca] = [certificate(3), certificate(9)];
  expect(ofUser({ "client-certificate-data": own.toString("base64") })).toBe(endOf(own));
  const chain = Buffer.concat([own, ca]).toString("base64");
  expect(ofUser({ "client-certificate-data": chain })).toBe(endOf(own));
  const late = jwt({ exp: 4_102_444_800 });
  expect(ofUser({ "client-certificate-data": chain, token: late })).toBe("2100-01-01T00:00:00Z");
});

it("a token that is a JWT ends where it says so", () => {
  expect(ofUser({ token: jwt({ exp: 1_801_353_600 }) })).toBe("2027-01-31T00:00:00Z");
});

it.each([
  ["no credential", {}],
  ["a token of another kind", { token: "abc" }],
  ["a token of three parts that are no JSON", { token: "a.b.c" }],
  ["a token of a service account's Secret", { token: jwt({ sub: "s" }) }],
  ["an end that is not a time", { token: jwt({ exp: "2027" }) }],
  ["an end beyond all times", { token: jwt({ exp: 1e300 }) }],
  ["no certificate", { "client-certificate-data": "Y2VydA==" }],
  ["a certificate beside a token without an end", { "client-certificate-data": "?", token: "abc" }],
  ["a plugin beside a token", { exec: { command: "c" }, token: jwt({ exp: 1 }) }],
])("%s has no end that is known", (_, user) => {
  expect(ofUser(user)).toBeUndefined();
});
