import { execFileSync } from "node:child_process";
import { parseAllDocuments } from "yaml";
import { renderKubeconfig } from "../../../components/kubernetes/access";
import { renderInitConfig, renderJoinConfig } from "../../../components/kubernetes/kubeadm-config";
import { registryData } from "../../../components/kubernetes/registry-files";
import { noProxyList, proxyUrls } from "../../../components/kubernetes/site-proxy";
import { clusterIngress } from "../../../components/openstack/ingress";
import type { ClusterPlan, VnfPlan } from "../../../components/plan/model";
import { shellAssignments } from "../../../components/remote/shell";

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const ADDRESSES = { nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9" };
const ACCESS = { ca: "Y2E=" };

/** What scripts are given, by its text: the same data is read back from a shell once. */
const given = new Map<string, Readonly<Record<string, string>>>();

const checked = new Set<string>();

/** Whether all that the plans become carries the texts of the settings as data, and nothing else of them. */
export function checkArtefacts(plans: readonly VnfPlan[]): void {
  for (const { servers, cluster, cnf } of plans) {
    for (const { name } of servers) expect(name).toMatch(LABEL);
    if (cluster !== undefined) checkCluster(cluster);
    for (const { object } of cnf?.plan.objects ?? []) {
      if (object.metadata.namespace !== undefined) expect(object.metadata.namespace).toMatch(LABEL);
    }
  }
}

function checkCluster(cluster: ClusterPlan): void {
  const known = JSON.stringify([
    cluster,
    cluster.proxy?.http_proxy?.reveal(),
    cluster.proxy?.https_proxy?.reveal(),
  ]);
  if (checked.has(known)) return;
  checked.add(known);
  const init = renderInitConfig(cluster, { nodeName: "m1", ...ADDRESSES });
  const [initial, common, kubelet, proxy, ...more] = documents(init);
  expect(more).toEqual([]);
  expect(initial).toMatchObject({ kind: "InitConfiguration" });
  expect(Object.keys(initial as object).sort()).toEqual([
    "apiVersion",
    "bootstrapTokens",
    "certificateKey",
    "kind",
    "localAPIEndpoint",
    "nodeRegistration",
  ]);
  const { clusterConfiguration, kubeletConfiguration, kubeProxyConfiguration } = cluster.kubeadm;
  expect(common).toMatchObject({ ...clusterConfiguration, kind: "ClusterConfiguration" });
  expect(common).toHaveProperty("clusterName", cluster.vimName);
  expect(kubelet).toEqual({ ...(kubelet as object), ...kubeletConfiguration, kind: "KubeletConfiguration" });
  expect(proxy).toEqual({ ...(proxy as object), ...kubeProxyConfiguration, kind: "KubeProxyConfiguration" });

  const join = renderJoinConfig(cluster, { nodeName: "w1", ...ADDRESSES, token: "t", caCertHash: "h" });
  expect(documents(join)).toHaveLength(1);
  const [access, ...others] = documents(
    renderKubeconfig(cluster.vimName, "https://10.0.0.9:6443", ACCESS, "t"),
  );
  expect(others).toEqual([]);
  expect(access).toMatchObject({ "current-context": cluster.vimName, clusters: [{ name: cluster.vimName }] });

  const rules = clusterIngress(cluster).map(({ protocol, ports, from }) =>
    JSON.stringify([protocol, ports, from]),
  );
  expect(new Set(rules).size).toBe(rules.length);

  const proxies = {
    ...proxyUrls(cluster),
    no_proxy_list: noProxyList(cluster, "10.0.0.5"),
  };
  // they stand in quotes in a unit file of systemd
  for (const value of Object.values(proxies)) expect(value).toMatch(/^[^\s"'\\]*$/);
  const { registry_files, registry_names } = registryData(cluster.registries);
  // mode, path and content of a file on its line; one line of /etc/hosts for each registry
  expect(registry_files).toMatch(/^((600|644) \/[\w./:-]+ [\w+/=]+(\n|$))*$/);
  expect(registry_names).toMatch(/^([\da-f.:]+ +[\w.-]+)?$/i);
  const registries = { registry_files, registry_names };
  const data = {
    ...proxies,
    ...registries,
    kubeadm_config: init,
    join_config: join,
    node_script: cluster.nodeScript ?? "",
  };
  given.set(JSON.stringify(data), data);
}

/** Whether a real shell has each value that was checked as it was given. */
export function readBack(): void {
  expect(given.size).toBeGreaterThan(100);
  const all = [...given.values()];
  const script = all
    .map(
      (data) =>
        `${shellAssignments(data)}printf '%s\\0' ${Object.keys(data)
          .map((key) => `"$${key}"`)
          .join(" ")}\n`,
    )
    .join("");
  const output = execFileSync("bash", ["-s"], { input: script, encoding: "utf8", maxBuffer: 2 ** 28 });
  expect(output.split("\0").slice(0, -1)).toEqual(all.flatMap((data) => Object.values(data)));
}

function documents(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as unknown;
  });
}
