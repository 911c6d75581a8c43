/** The site's proxy, on nodes of both kinds of clusters. */
import { Secret } from "../../../components/base/secret";
import { at, fields, items } from "../../../components/kube/objects/object";
import type { Proxy } from "../../../components/plan/nodes/model";
import { noProxy, proxyFiles } from "../../../components/plan/nodes/proxy";
import { preparation } from "../../../components/render/preparation";
import { clusterVnf } from "../../support/configs";
import { planOf } from "../../support/planned";
import { plannedCluster } from "./planned-cluster";

const PROXY: Proxy = {
  ...{ http: undefined, https: undefined, exceptions: undefined, nodeCidr: undefined },
  ...{ cidrs: ["10.244.0.0/16", "10.96.0.0/12"], dnsDomain: "cluster.local" },
};
const URL = "http://user:secret%20word@proxy.example:3128";
const DROP_IN = "/etc/systemd/system/containerd.service.d/proxy.conf";
const VARIABLES = "/etc/containerd/vnfm-proxy.env";

/** Files that prepare-node.sh writes, by their paths. */
function filesOfNode(params: object): Record<string, readonly [mode: string, content: string]> {
  const [plan] = planOf({ "vnf-a": clusterVnf(1, params) });
  if (plan?.kind !== "kubeadm") throw new Error("no cluster is planned");
  const { proxy_files: lines = "" } = preparation(plan.cluster, {
    ...{ name: "vnf-a-workernode-1", role: "worker", address: "10.0.0.5" },
  });
  const files = lines.split("\n").filter((line) => line !== "");
  const entries = files.map((line): [string, readonly [string, string]] => {
    const [mode = "", path = "", content = ""] = line.split(" ");
    return [path, [mode, Buffer.from(content, "base64").toString()]];
  });
  return Object.fromEntries(entries);
}

it("containerd of both kinds of clusters has the same files, and the login stands in that of root alone", () => {
  const noProxyOf = (nodes: string) =>
    `mirror.example,127.0.0.1,localhost,.svc,.cluster.local,10.244.0.0/16,10.96.0.0/12,${nodes}`;
  const variables = (nodes: string) => `HTTPS_PROXY="${URL}"\nNO_PROXY="${noProxyOf(nodes)}"\n`;
  const dropIn = `[Service]\nEnvironmentFile=${VARIABLES}\n`;
  expect(filesOfNode({ proxy: { https_proxy: URL, no_proxy: "mirror.example" } })).toEqual({
    [DROP_IN]: ["0644", dropIn],
    [VARIABLES]: ["0600", variables("10.0.0.5")],
  });
  const { find } = plannedCluster({ proxy: { httpsProxy: URL, noProxy: "mirror.example" } });
  const [secret] = find("Secret tenant/tenant-files-");
  expect(secret?.["stringData"]).toEqual({ "file-0": variables("10.6.0.0/24") });
  const [config] = find("KubeadmConfigTemplate");
  expect(items(at(config, "spec", "template", "spec", "files")).slice(1)).toEqual([
    { path: DROP_IN, permissions: "0644", owner: "root:root", content: dropIn },
    {
      ...{ path: VARIABLES, permissions: "0600", owner: "root:root" },
      contentFrom: { secret: { name: secret?.metadata.name, key: "file-0" } },
    },
  ]);
});

it("nodes whose proxy has exceptions and no URL have no files of it", () => {
  expect(filesOfNode({ proxy: { no_proxy: "mirror.example" } })).toEqual({});
  const { find } = plannedCluster({ proxy: { noProxy: "mirror.example" } });
  const [config] = find("KubeadmConfigTemplate");
  expect(items(fields(at(config, "spec", "template", "spec"))["files"])).toHaveLength(1);
});

it("systemd reads each character of a proxy as it is", () => {
  const http = new Secret('http://a"b$c:%20@proxy:3128');
  const { secretFiles } = proxyFiles({ ...PROXY, http, exceptions: "$(id)\\", cidrs: [] });
  expect(secretFiles.map(({ content }) => content.reveal())).toEqual([
    'HTTP_PROXY="http://a\\"b$c:%20@proxy:3128"\nNO_PROXY="$(id)\\\\,127.0.0.1,localhost,.svc,.cluster.local"\n',
  ]);
});

it("no_proxy has blocks of addresses, and the node's own address only without the block of the nodes", () => {
  const proxy = { ...PROXY, exceptions: "example.org, 10.1.0.0/16" };
  const others = "example.org,10.1.0.0/16,127.0.0.1,localhost,.svc,.cluster.local,10.244.0.0/16,10.96.0.0/12";
  expect(noProxy({ ...proxy, nodeCidr: "10.0.0.0/18" }, "10.0.0.5")).toBe(`${others},10.0.0.0/18`);
  expect(noProxy(proxy, "10.0.0.5")).toBe(`${others},10.0.0.5`);
  expect(noProxy(proxy)).toBe(others);
});

it("no_proxy of a kubeadm cluster has the blocks of IPv6 and the domain of its Services", () => {
  const addresses = { pod_cidr_ipv6: "fd00:10:244::/56", cluster_cidr_ipv6: "fd00:10:96::/112" };
  const { [VARIABLES]: variables } = filesOfNode({
    proxy: { https_proxy: URL, k8s_node_cidr: "10.0.0.0/24" },
    master_node: { ssh_cp_name: "masterNode_CP1", ...addresses },
    kubeadm: { cluster_configuration: { networking: { dnsDomain: "k8s.example" } } },
  });
  expect(variables?.[1]).toContain(
    'NO_PROXY="127.0.0.1,localhost,.svc,.k8s.example,192.168.0.0/16,10.96.0.0/12,fd00:10:244::/56,fd00:10:96::/112,10.0.0.0/24"',
  );
});
