import { noProxyList, proxyUrls } from "../../../components/render/site-proxy";
import { Secret } from "../../../components/base/secret";
import { cluster } from "./cluster";

describe("no_proxy", () => {
  it("names blocks, never each address of a block", () => {
    const proxied = {
      ...cluster,
      proxy: { no_proxy: "example.org, 10.1.0.0/16", k8s_node_cidr: "10.0.0.0/18" },
    };
    expect(noProxyList(proxied, "10.0.0.5")).toBe(
      "example.org,10.1.0.0/16,127.0.0.1,localhost,.svc,.cluster.local,10.244.0.0/16,10.96.0.0/12,10.0.0.0/18",
    );
    expect(noProxyList({ ...cluster, proxy: {} }, "10.0.0.5")).toMatch(/,10\.0\.0\.5$/);
    expect(noProxyList(cluster, "10.0.0.5")).toBe("");
    const clusterConfiguration = { networking: { dnsDomain: "k8s.example" } };
    const named = { ...proxied, kubeadm: { ...cluster.kubeadm, clusterConfiguration } };
    expect(noProxyList(named, "10.0.0.5")).toContain(",.svc,.k8s.example,10.244.0.0/16,");
  });
});

it("scripts get the proxy's URLs with their passwords, and empty texts for what there is not", () => {
  const proxy = { https_proxy: new Secret("http://user:word@proxy.example:3128") };
  expect(proxyUrls({ ...cluster, proxy })).toEqual({
    http_proxy_url: "",
    https_proxy_url: "http://user:word@proxy.example:3128",
  });
  expect(proxyUrls(cluster)).toEqual({ http_proxy_url: "", https_proxy_url: "" });
});
