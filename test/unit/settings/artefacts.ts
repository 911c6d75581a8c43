import { execFileSync } from "node:child_process";
import { parseAllDocuments } from "yaml";
import { renderKubeconfig } from "../../../components/render/access";
import { renderHaproxyConfig } from "../../../components/render/haproxy-config";
import { renderKeepalivedConfig } from "../../../components/render/keepalived-config";
import { renderInitConfig, renderJoinConfig } from "../../../components/render/kubeadm-config";
import { exportData, renderNfsConfig } from "../../../components/render/nfs-config";
import { preparation } from "../../../components/render/preparation";
import { proxyData } from "../../../components/render/site-proxy";
import {
  clusterIngress,
  ruleName,
  storageIngress,
  type IngressRule,
} from "../../../components/plan/kubeadm/ingress";
import { renderUserData } from "../../../components/render/user-data";
import type { ClusterPlan, StoragePlan } from "../../../components/plan/kubeadm/model";
import { serversOfRole } from "../../../components/plan/kubeadm/pools";
import { isWorkload, type InstancePlan } from "../../../components/plan/model";
import type { PlannedServer } from "../../../components/plan/servers/model";
import { shellAssignments } from "../../../components/remote/shell";

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const PATH = /^(\/[\w.-]+)+$/;
const HAPROXY = /^(# .*\n|(global|defaults|(frontend|backend) kubernetes-api)?\n| {4}[\w./:[\]* -]+\n)+$/;
const KEEPALIVED = /^(# .*\n|( *[\w@][\w .:/@-]*( \{)?| *\}| {4}script "[^"]+"|)\n)+$/;
const EXPORT = /^(\/[\w.-]+)+( [\da-f.:]+\/\d+\([\w=:.,-]+\))+$/;
const GANESHA = new RegExp(
  String.raw`^NFS_CORE_PARAM .*\n(EXPORT \{\n( {2}\w+ = [\w./-]+;\n)+ {2}FSAL \{ Name = VFS; \}\n` +
    String.raw`( {2}CLIENT \{( \w+ = [\w./:]+;)+ \}\n)+\}(\n|$))+$`,
);
const ADDRESSES = { nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9" };
const ACCESS = { ca: "Y2E=" };

/** Data of scripts, by its text: a shell reads back the same data only once. */
const scriptData = new Map<string, Readonly<Record<string, string>>>();

const checked = new Set<string>();

/** Returns true if this content of an artefact was not checked before, which would cost time. */
function isNew(content: string): boolean {
  const before = checked.size;
  return checked.add(content).size > before;
}

/** Expects that everything made from the plans contains the settings' texts only as data. */
export function checkArtefacts(plans: readonly InstancePlan[]): void {
  for (const plan of plans) {
    if (isWorkload(plan)) {
      for (const { object } of plan.cnf.objects)
        if (object.metadata.namespace !== undefined) expect(object.metadata.namespace).toMatch(LABEL);
      continue;
    }
    for (const server of plan.servers) checkServer(server);
    if (plan.kind === "kubeadm") checkCluster(plan.cluster);
    addData({ heal_token: plan.wholeHeal.token, refusal: plan.wholeHeal.refusal ?? "" });
  }
}

/** Expects that the user data, which the metadata service shows, contains nothing of the settings. */
function checkServer({ name, vdu: { bootData } }: PlannedServer): void {
  if (!isNew(JSON.stringify([name, bootData]))) return;
  expect(name).toMatch(LABEL);
  const userData = renderUserData({
    hostPrivateKey: "private",
    hostPublicKey: "public",
    loginKey: "key",
    bootData,
  });
  expect(userData).toMatch(/^#cloud-config\n/);
  expect(documents(userData)).toEqual([
    {
      ssh_deletekeys: true,
      ssh_keys: { ed25519_private: "private", ed25519_public: "public" },
      preserve_hostname: false,
      manage_etc_hosts: false,
      ssh_authorized_keys: ["key"],
    },
  ]);
}

function checkCluster(cluster: ClusterPlan): void {
  const urls = [cluster.nodes.proxy?.http?.reveal(), cluster.nodes.proxy?.https?.reveal()];
  const { sshKey = "", serviceAccount = "", certificates = "" } = cluster.rotation;
  addData({ rotation: [sshKey, serviceAccount, certificates].join("\n") });
  // the files of a cluster contain only the names of servers, and nothing of a rotation
  const files = JSON.stringify([{ ...cluster, rotation: undefined }, urls], (_, value: unknown) =>
    isServer(value) ? value.name : value,
  );
  if (!isNew(files)) return;
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

  for (const ofGroup of Object.values({ ...clusterIngress(cluster) })) {
    const rules = ofGroup.map(({ protocol, ports, from }: IngressRule) =>
      JSON.stringify([protocol, ports, from]),
    );
    expect(new Set(rules).size).toBe(rules.length);
  }

  const proxies = proxyData(cluster, "10.0.0.5");
  // the values are quoted in a systemd unit file
  for (const value of Object.values(proxies)) expect(value).toMatch(/^[^\s"'\\]*$/);
  const prepared = preparation(cluster, { name: "m1", role: "master", address: "10.0.0.5" });
  // a line for each file, with mode, path and content; a line of /etc/hosts for each registry
  expect(prepared["registry_files"]).toMatch(/^((0600|0644) \/[\w./:-]+ [\w+/=]+(\n|$))*$/);
  expect(prepared["operator_files"]).toMatch(/^(0[0-7]{3} \/[\w./-]+ [\w+/=]*(\n|$))*$/);
  expect(prepared["registry_names"]).toMatch(/^([\da-f.:]+ +[\w.-]+)?$/i);
  // these are words in lines of a sources file, and arguments, among which a name must not be an option
  expect(prepared["apt_url"]).toMatch(/^(https?:[^\s"'\\$`]+)?$/);
  expect(prepared["apt_suite"]).toMatch(/^[\w.~+/-]*$/);
  expect(prepared["apt_key"]).toMatch(/^[\w+/=]*$/);
  for (const names of ["apt_components", "apt_packages"]) {
    expect(prepared[names]).toMatch(/^([A-Za-z0-9][\w.+/-]*( |$))*$/);
  }
  addData({
    ...prepared,
    ...proxies,
    ...balancerData(cluster),
    ...(cluster.storage && storageData(cluster, cluster.storage)),
    kubeadm_config: init,
    join_config: join,
    drain_seconds: String(cluster.drain.timeout_seconds),
  });
}

function isServer(value: unknown): value is PlannedServer {
  return typeof value === "object" && value !== null && "vdu" in value;
}

/** Returns the data of load-balancer.sh; empty without load balancers. */
function balancerData(cluster: ClusterPlan): Record<string, string> {
  const { api } = cluster;
  if (api.kind !== "haproxy") return {};
  const addressed = (servers: readonly PlannedServer[]) =>
    servers.map(({ name }, i) => ({ name, address: `10.0.0.${i + 1}` }));
  const masters = addressed(serversOfRole(cluster, "master"));
  const haproxy_config = renderHaproxyConfig({ apiPort: api.port, masters });
  const servers = haproxy_config.split("\n").filter((line) => line.startsWith("    server "));
  expect(servers.map((line) => line.split(" ").slice(5, 7))).toEqual(
    masters.map(({ name, address }) => [name, `${address}:6443`]),
  );
  expect(haproxy_config).toMatch(HAPROXY);
  const addresses = addressed(api.balancers.servers).map(({ address }) => address);
  const keepalived_config = renderKeepalivedConfig({
    virtualRouterId: api.virtualRouterId,
    password: "01234567",
    virtualIp: "10.0.0.9",
    address: "10.0.0.1",
    addresses,
  });
  expect(keepalived_config).toMatch(KEEPALIVED);
  expect(keepalived_config).toMatch(/^ {4}virtual_router_id \d{1,3}$/m);
  expect(keepalived_config.match(/^\S.* (?=\{$)/gm)?.join("")).toBe(
    "global_defs vrrp_script haproxy vrrp_instance kubernetes_api ",
  );
  return { haproxy_config, keepalived_config, login_user: api.balancers.login.username };
}

/** Returns the exports, ganesha.conf, fstab and PersistentVolumes of a storage server. */
function storageData(cluster: ClusterPlan, storage: StoragePlan): Record<string, string> {
  for (const { mountTo } of storage.mounts) expect(mountTo).toMatch(PATH);
  const exports = renderNfsConfig({ ...storage, nfsServer: "kernel" })
    .split("\n")
    .flatMap((line) => {
      expect(line).toMatch(EXPORT);
      const [directory = "", ...clients] = line.split(" ");
      return clients.map((client) => ({ directory, client }));
    });
  const planned = storage.exports.map(({ directory, to, options }) => {
    return { directory, client: `${to}(${options.join(",")})` };
  });
  expect(exports).toEqual(expect.arrayContaining(planned));
  expect(exports).toHaveLength(planned.length);
  const data = exportData(storage);
  if (storage.nfsServer === "ganesha") expect(data.nfs_config).toMatch(GANESHA);
  for (const { name, object } of storage.persistentVolumes) {
    const path = expect.stringMatching(PATH) as string;
    expect(object).toMatchObject({ kind: "PersistentVolume", metadata: { name }, spec: { nfs: { path } } });
  }
  const rules = storageIngress({ ...cluster, managementCidrs: [] }).map(ruleName);
  expect(new Set(rules).size).toBe(rules.length);
  return data;
}

function addData(data: Readonly<Record<string, string>>): void {
  scriptData.set(JSON.stringify(data), data);
}

/** Expects that a real shell reads each checked value unchanged. */
export function readBack(): void {
  expect(scriptData.size).toBeGreaterThan(30);
  const all = [...scriptData.values()];
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
