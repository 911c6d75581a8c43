import { parseAllDocuments } from "yaml";
import {
  parseAccess,
  renderAccessManifest,
  renderKubeconfig,
  vimConnectionInfo,
} from "../../../components/render/access";
import {
  apiEndpoint,
  merge,
  renderInitConfig,
  renderJoinConfig,
} from "../../../components/render/kubeadm-config";
import { noProxyList } from "../../../components/render/site-proxy";
import { apiClients, clusterIngress, nameOf } from "../../../components/deploy/openstack/ingress";
import { renderUserData } from "../../../components/render/user-data";
import type { ClusterPlan } from "../../../components/plan/model";

const pool = {
  sshConnectionPoint: "CP1",
  nodeConnectionPoint: "CP1",
  login: { username: "debian", password: undefined, privateKey: undefined },
  servers: [],
};

const cluster: ClusterPlan = {
  vimName: "vim",
  master: pool,
  worker: pool,
  api: { kind: "master", connectionPoint: "CP1", port: 6443 },
  drain: { timeout_seconds: 300, delete_emptydir_data: true },
  podCidr: "10.244.0.0/16",
  serviceCidr: "10.96.0.0/12",
  kubernetesVersion: undefined,
  kubeadm: {
    ignorePreflightErrors: ["Swap"],
    clusterConfiguration: { apiServer: { extraArgs: [{ name: "v", value: "2" }] } },
    kubeletConfiguration: { failSwapOn: false },
    kubeProxyConfiguration: { mode: "iptables" },
  },
  cniManifest: "",
  cniPorts: ["udp/8472"],
  managementCidrs: ["198.19.0.0/24", "fd00::/64"],
  ingressRules: [],
  proxy: undefined,
  registries: [],
  aptRepository: undefined,
  nodeScript: undefined,
  storage: undefined,
  rotation: { sshKey: undefined, serviceAccount: undefined, certificates: undefined },
};

const documents = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as unknown);

describe("kubeadm configuration", () => {
  it("has the cluster's addresses, the additions merged in, and what the node fills in", () => {
    const text = renderInitConfig(cluster, {
      nodeName: "m1",
      nodeAddress: "10.0.0.5",
      apiAddress: "10.0.0.9",
    });
    expect(documents(text)).toEqual([
      {
        apiVersion: "kubeadm.k8s.io/v1beta4",
        kind: "InitConfiguration",
        nodeRegistration: {
          name: "m1",
          criSocket: "unix:///run/containerd/containerd.sock",
          imagePullPolicy: "IfNotPresent",
          ignorePreflightErrors: ["Swap"],
          kubeletExtraArgs: [{ name: "node-ip", value: "10.0.0.5" }],
        },
        localAPIEndpoint: { advertiseAddress: "10.0.0.5", bindPort: 6443 },
        certificateKey: "@CERTIFICATE_KEY@",
        bootstrapTokens: [{ description: "vnfm: unused", ttl: "1m0s" }],
      },
      {
        apiVersion: "kubeadm.k8s.io/v1beta4",
        kind: "ClusterConfiguration",
        clusterName: "vim",
        kubernetesVersion: "@KUBERNETES_VERSION@",
        controlPlaneEndpoint: "10.0.0.9:6443",
        networking: { podSubnet: "10.244.0.0/16", serviceSubnet: "10.96.0.0/12" },
        apiServer: { certSANs: ["10.0.0.9"], extraArgs: [{ name: "v", value: "2" }] },
      },
      { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration", failSwapOn: false },
      { apiVersion: "kubeproxy.config.k8s.io/v1alpha1", kind: "KubeProxyConfiguration", mode: "iptables" },
    ]);
  });

  it("keeps a hostile value a value", () => {
    const token = 'x"\n---\nkind: Evil';
    const [join, ...rest] = documents(
      renderJoinConfig(cluster, {
        nodeName: "w1",
        nodeAddress: "10.0.0.6",
        apiAddress: "10.0.0.9",
        token,
        caCertHash: "sha256:0",
      }),
    );
    expect(rest).toEqual([]);
    expect(join).toMatchObject({ kind: "JoinConfiguration", discovery: { bootstrapToken: { token } } });
  });

  it("writes an IPv6 endpoint in brackets", () => {
    expect(apiEndpoint("fd00::9", 6443)).toBe("[fd00::9]:6443");
    expect(apiEndpoint("10.0.0.9", 6440)).toBe("10.0.0.9:6440");
  });

  it("merges maps and replaces the rest", () => {
    expect(merge({ a: { b: 1, c: [1] }, d: 1 }, { a: { c: [2], e: 3 }, d: { f: 1 } })).toEqual({
      a: { b: 1, c: [2], e: 3 },
      d: { f: 1 },
    });
  });

  it("merges keys that every object has like any other", () => {
    const additions = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"b": 2}}') as object;
    expect(JSON.stringify(merge({ c: 3 }, additions))).toBe(
      '{"c":3,"__proto__":{"a":1},"constructor":{"b":2}}',
    );
  });
});

describe("access to the cluster", () => {
  const access = parseAccess("ca=Y2E=\nssl_ca_cert_hash=sha256:ab\ncertificate_key=cd\n");

  it("is that of one service account, which alone has the role of cluster-admin, and its token", () => {
    const account = { name: "vnfm", namespace: "kube-system" };
    expect(documents(renderAccessManifest())).toEqual([
      { apiVersion: "v1", kind: "ServiceAccount", metadata: account },
      {
        apiVersion: "v1",
        kind: "Secret",
        type: "kubernetes.io/service-account-token",
        metadata: {
          name: "vnfm-token",
          namespace: "kube-system",
          annotations: { "kubernetes.io/service-account.name": "vnfm" },
        },
      },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "vnfm" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "ServiceAccount", ...account }],
      },
    ]);
  });

  it("is named as the specification names it", () => {
    expect(vimConnectionInfo("https://10.0.0.9:6443", access, "tok==")).toEqual({
      vim_type: "kubernetes",
      access_info: {
        auth_url: "https://10.0.0.9:6443",
        bearer_token: "tok==",
        ssl_ca_cert_hash: "sha256:ab",
        certificate_key: "cd",
      },
      interface_info: {},
    });
  });

  it("makes a kubeconfig with the CA in it", () => {
    expect(documents(renderKubeconfig("vim", "https://10.0.0.9:6443", access, "tok=="))).toMatchObject([
      {
        clusters: [{ cluster: { server: "https://10.0.0.9:6443", "certificate-authority-data": "Y2E=" } }],
        users: [{ user: { token: "tok==" } }],
        "current-context": "vim",
      },
    ]);
  });

  it("refuses an answer that lacks a line", () => {
    expect(() => parseAccess("ca=x\n")).toThrow("has no ssl_ca_cert_hash");
  });
});

describe("security group of a cluster", () => {
  const opened = (changes: Partial<ClusterPlan>, from: string) =>
    clusterIngress({ ...cluster, ...changes })
      .filter((rule) => from === (rule.from === "members" ? "members" : rule.from.cidr))
      .map((rule) => nameOf(rule).slice(0, -from.length - 1));

  it("opens to members what members need, and to management SSH, the API and the node ports of any Service", () => {
    const published = ["tcp-22", "tcp-6443", "tcp-30000-32767", "udp-30000-32767", "sctp-30000-32767"];
    expect(opened({}, "members")).toEqual([...published, "tcp-2379-2380", "tcp-10250", "udp-8472"]);
    expect(opened({}, "198.19.0.0/24")).toEqual(published);
    expect(opened({}, "fd00::/64")).toEqual(published);
  });

  it("opens what the CNI needs, by range and by protocol, once", () => {
    const cniPorts = ["tcp/10250", "udp/10250", "sctp/9000-9010", "ipip"];
    expect(opened({ cniPorts }, "members").slice(-4)).toEqual([
      "tcp-10250",
      "udp-10250",
      "sctp-9000-9010",
      "ipip",
    ]);
  });

  it("opens what the operator adds to whom it is for, once", () => {
    const ingressRules = [
      { ports: ["sctp/38412", "esp"], cidrs: ["10.1.0.0/16", "10.2.0.0/16"] },
      { ports: ["sctp/38412", "udp/2152"], cidrs: ["10.2.0.0/16"] },
      { ports: ["tcp/22"], cidrs: ["198.19.0.0/24"] },
    ];
    expect(opened({ ingressRules }, "10.1.0.0/16")).toEqual(["sctp-38412", "esp"]);
    expect(opened({ ingressRules }, "10.2.0.0/16")).toEqual(["sctp-38412", "esp", "udp-2152"]);
    expect(opened({ ingressRules }, "198.19.0.0/24")).toEqual(opened({}, "198.19.0.0/24"));
    expect(opened({ ingressRules }, "members")).toEqual(opened({}, "members"));
  });

  it("knows who may reach kube-apiserver, through the operator's own rules too", () => {
    const ingressRules = [
      { ports: ["tcp/6443"], cidrs: ["10.1.0.0/16"] },
      { ports: ["udp/6443", "tcp/6443-6444"], cidrs: ["10.2.0.0/16"] },
    ];
    expect(apiClients({ ...cluster, ingressRules })).toEqual(["198.19.0.0/24", "fd00::/64", "10.1.0.0/16"]);
  });
});

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
  });
});

describe("user data", () => {
  const keys = { hostPrivateKey: "PRIVATE\nKEY\n", hostPublicKey: "ssh-ed25519 AAAA" };

  it("makes the known host key the only one", () => {
    const text = renderUserData({ ...keys, bootData: undefined });
    expect(text.startsWith("#cloud-config\n")).toBe(true);
    expect(documents(text)).toEqual([
      {
        ssh_deletekeys: true,
        ssh_keys: { ed25519_private: "PRIVATE\nKEY\n", ed25519_public: "ssh-ed25519 AAAA" },
        preserve_hostname: false,
        manage_etc_hosts: false,
      },
    ]);
  });

  it.each([
    ["#!/bin/sh\necho hi\n", "text/x-shellscript"],
    ["#cloud-config\nruncmd: [ls]\n", "text/cloud-config"],
    ["runcmd: [ls]\n", "text/cloud-config"],
    ["#cloud-boothook\n#!/bin/sh\necho hi\n", "text/cloud-boothook"],
    ["#cloud-config-archive\n- '#!/bin/sh'\n", "text/cloud-config-archive"],
    ["#cloud-config-jsonp\n[]\n", "text/cloud-config-jsonp"],
    ["#include\nhttp://example.com/a\n", "text/x-include-url"],
    ["#include-once\nhttp://example.com/a\n", "text/x-include-once-url"],
    ["#part-handler\n", "text/part-handler"],
    ["#upstart-job\n", "text/upstart-job"],
    ["## template: jinja\n#cloud-config\n", "text/jinja2"],
    ["\n#Cloud-Boothook\n", "text/cloud-boothook"],
  ])("carries the VNFD's own boot data beside it, declared as what they are: %j", (bootData, type) => {
    const text = renderUserData({ ...keys, bootData });
    expect(text.startsWith('Content-Type: multipart/mixed; boundary="==vnfm=="\nMIME-Version: 1.0\n\n')).toBe(
      true,
    );
    expect(text).toContain(
      `--==vnfm==\nContent-Type: ${type}; charset="utf-8"\n\n${bootData}\n\n--==vnfm==\n`,
    );
    // of two parts that set the same, cloud-init follows the last
    expect(text.indexOf(bootData)).toBeLessThan(text.indexOf("ssh_deletekeys: true"));
  });

  it("carries a MIME archive of the VNFD's as a part with parts, of another boundary", () => {
    const archive =
      'Content-Type: multipart/mixed; boundary="==vnfm=="\nMIME-Version: 1.0\n\n--==vnfm==\n\n#!/bin/sh\n--==vnfm==--\n';
    const text = renderUserData({ ...keys, bootData: archive });
    expect(text.startsWith('Content-Type: multipart/mixed; boundary="==vnfm==="\n')).toBe(true);
    expect(text).toContain(`--==vnfm===\n${archive}\n\n--==vnfm===\n`);
    expect(text.endsWith("--==vnfm===--\n")).toBe(true);
  });
});
