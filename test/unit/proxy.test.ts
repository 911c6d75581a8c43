import { localExceptions, proxyFor } from "../../components/base/net/proxy";

const api = (host: string) => new URL(`https://${host}:6443/api`);
const PROXY = "http://proxy.example.com:3128";

test.each<[string, string, string | undefined]>([
  ["192.0.2.7", "", PROXY],
  ["127.0.0.1", "", undefined],
  ["localhost", "", undefined],
  ["192.0.2.7", "198.51.100.1, 192.0.2.0/24", undefined],
  ["192.0.2.7", "192.0.2.7", undefined],
  ["192.0.2.70", "192.0.2.7", PROXY],
  ["[2001:db8::7]", "2001:db8::/32", undefined],
  ["192.0.2.7", "192.0.2.0/33, 192.0.2.0/x", PROXY],
  ["api.example.com", "example.com", undefined],
  ["example.com", ".example.com", PROXY],
  ["api.example.com", "*.example.com", undefined],
  ["api.example.com", "api.example.com:443", PROXY],
  ["api.example.org", "*", undefined],
])("%s with NO_PROXY=%s", (host, exceptions, expected) => {
  expect(proxyFor(api(host), undefined, { HTTPS_PROXY: PROXY, no_proxy: exceptions })).toBe(expected);
});

it("the proxy is the kubeconfig's before that of the environment", () => {
  expect(proxyFor(api("127.0.0.1"), PROXY, { HTTPS_PROXY: "http://other", NO_PROXY: "*" })).toBe(PROXY);
});

it("the proxy is another one for what is not encrypted, with port 80 in the exceptions", () => {
  const url = new URL("http://charts.example.com/index.yaml");
  const env = { HTTPS_PROXY: "http://other", http_proxy: PROXY };
  expect(proxyFor(url, undefined, env)).toBe(PROXY);
  expect(proxyFor(url, undefined, { HTTPS_PROXY: PROXY })).toBeUndefined();
  expect(proxyFor(url, undefined, { ...env, NO_PROXY: "charts.example.com:80" })).toBeUndefined();
  expect(proxyFor(url, undefined, { ...env, NO_PROXY: "charts.example.com:443" })).toBe(PROXY);
});

test.each<[Record<string, string>, string, string]>([
  [{}, "127.0.0.1,localhost", "127.0.0.1,localhost"],
  [{ no_proxy: ".a , b" }, ".a,b,127.0.0.1,localhost", ".a,b,127.0.0.1,localhost"],
  [{ NO_PROXY: ".a" }, ".a,127.0.0.1,localhost", ".a,127.0.0.1,localhost"],
  [{ no_proxy: ".a", NO_PROXY: ".b" }, ".a,127.0.0.1,localhost", ".b,127.0.0.1,localhost"],
  [{ no_proxy: "localhost,,127.0.0.1" }, "localhost,127.0.0.1", "localhost,127.0.0.1"],
])("this machine is excepted from proxies beside %j", (env, lower, upper) => {
  expect(localExceptions(env)).toEqual({ no_proxy: lower, NO_PROXY: upper });
});
