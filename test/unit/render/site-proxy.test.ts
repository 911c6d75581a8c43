import { Secret } from "../../../components/base/secret";
import { proxyData } from "../../../components/render/site-proxy";
import { cluster } from "./cluster";

it("scripts get the proxy with its passwords, and empty texts for a cluster without a proxy", () => {
  const proxy = {
    ...{ http: undefined, https: new Secret("http://user:word@proxy.example:3128") },
    ...{ exceptions: ".example.org", cidrs: [], nodeCidr: undefined, dnsDomain: "cluster.local" },
  };
  expect(proxyData({ ...cluster, nodes: { ...cluster.nodes, proxy } }, "10.0.0.5")).toEqual({
    http_proxy_url: "",
    https_proxy_url: "http://user:word@proxy.example:3128",
    no_proxy_list: ".example.org,127.0.0.1,localhost,.svc,.cluster.local,10.0.0.5",
  });
  expect(proxyData(cluster, "10.0.0.5")).toEqual({
    http_proxy_url: "",
    https_proxy_url: "",
    no_proxy_list: "",
  });
});
