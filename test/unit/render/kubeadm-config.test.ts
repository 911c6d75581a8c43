import { parse } from "yaml";
import { merge } from "../../../components/kube/objects/object";
import { endpoint } from "../../../components/base/net/cidr";
import { securityConfig } from "../../../components/kube/cluster/control-plane";
import {
  providerId,
  renderCniManifest,
  renderInitConfig,
  renderJoinConfig,
} from "../../../components/render/kubeadm-config";
import { cluster } from "./cluster";

describe("kubeadm configuration", () => {
  const secrets = { token: "abcdef.0123456789abcdef", caCertHash: "sha256:ab" };

  it("has the blocks and the node's address of IPv6 after those of IPv4 in a dual stack", () => {
    const ipv6 = { podCidr: "fd00:10:244::/56", serviceCidr: "fd00:10:96::/112" };
    const dual = { ...cluster, ipv6, cniManifest: "${POD_CIDR} ${POD_CIDR_IPV6}" };
    const node = { nodeName: "m1", nodeAddress: "10.0.0.5", nodeIpv6: "fd00::5", apiAddress: "10.0.0.9" };
    const [init = "", its = ""] = renderInitConfig(dual, node).split("---\n");
    const nodeIp = [{ name: "node-ip", value: "10.0.0.5,fd00::5" }];
    expect(parse(init)).toMatchObject({ nodeRegistration: { kubeletExtraArgs: nodeIp } });
    expect(parse(its)).toMatchObject({
      networking: {
        podSubnet: "10.244.0.0/16,fd00:10:244::/56",
        serviceSubnet: "10.96.0.0/12,fd00:10:96::/112",
      },
    });
    expect(parse(renderJoinConfig(dual, { ...node, ...secrets }))).toMatchObject({
      nodeRegistration: { kubeletExtraArgs: nodeIp },
    });
    expect(renderCniManifest(dual, "10.0.0.9")).toBe("10.244.0.0/16 fd00:10:244::/56");
    expect(renderCniManifest({ ...dual, ipv6: undefined }, "10.0.0.9")).toBe("10.244.0.0/16 ");
  });

  it("has the cluster's addresses, the additions merged in, and what the node fills in", () => {
    const master = { nodeName: "m1", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9" };
    expect(renderInitConfig(cluster, master)).toBe(`apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration:
  name: m1
  criSocket: unix:///run/containerd/containerd.sock
  imagePullPolicy: IfNotPresent
  ignorePreflightErrors:
    - Swap
  kubeletExtraArgs:
    - name: node-ip
      value: 10.0.0.5
localAPIEndpoint:
  advertiseAddress: 10.0.0.5
  bindPort: 6443
certificateKey: "@CERTIFICATE_KEY@"
bootstrapTokens:
  - description: "vnfm: unused"
    ttl: 1m0s
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
clusterName: vim
kubernetesVersion: "@KUBERNETES_VERSION@"
controlPlaneEndpoint: 10.0.0.9:6443
networking:
  podSubnet: 10.244.0.0/16
  serviceSubnet: 10.96.0.0/12
apiServer:
  certSANs:
    - 10.0.0.9
  extraArgs:
    - name: v
      value: "2"
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failSwapOn: false
---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
`);
  });

  it("has the API's certificate for the floating IP too where the operator gives other names", () => {
    const given = { apiServer: { certSANs: ["api.example", "10.0.0.9"] } };
    const named = { ...cluster, kubeadm: { ...cluster.kubeadm, clusterConfiguration: given } };
    const master = {
      ...{ nodeName: "m1", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9", floatingIp: "203.0.113.1" },
    };
    expect(parse(renderInitConfig(named, master).split("---\n")[1] ?? "")).toMatchObject({
      apiServer: { certSANs: ["10.0.0.9", "203.0.113.1", "api.example"] },
    });
  });

  it("has kubelets wait for the cloud provider, and name their server to it", () => {
    const withProvider = { ...cluster, hasCloudProvider: true };
    const argsOf = (text: string): unknown =>
      (parse(text.split("---\n")[0] ?? "") as { nodeRegistration: { kubeletExtraArgs: unknown } })
        .nodeRegistration.kubeletExtraArgs;
    const args = (address: string, provider: string) => [
      { name: "node-ip", value: address },
      { name: "cloud-provider", value: "external" },
      { name: "provider-id", value: provider },
    ];
    const master = { nodeName: "m1", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9" };
    // what the cluster was made with stays, whichever server the master has
    expect(argsOf(renderInitConfig(withProvider, master))).toEqual(args("10.0.0.5", "@PROVIDER_ID@"));
    const worker = { nodeName: "w1", nodeAddress: "10.0.0.6", apiAddress: "10.0.0.9", ...secrets };
    const join = renderJoinConfig(withProvider, { ...worker, providerId: providerId("b2c5") });
    expect(argsOf(join)).toEqual(args("10.0.0.6", "openstack:///b2c5"));
  });

  it("takes an id of the cloud that is none for no server", () => {
    for (const id of ["", "x|;e id #", "a&b", "a\\1", "a b", "b2c5\n"])
      expect(() => providerId(id)).toThrow("a server: the cloud returned");
  });

  it("leaves the blocks of nodes to the plan where routes lead to them, and keeps other arguments", () => {
    const master = { nodeName: "m1", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9" };
    const given = { name: "v", value: "4" };
    const routed = {
      ...{ ...cluster, podRoutes: {} },
      kubeadm: {
        ...cluster.kubeadm,
        clusterConfiguration: { controllerManager: { extraArgs: [given] } },
      },
    };
    expect(parse(renderInitConfig(routed, master).split("---\n")[1] ?? "")).toMatchObject({
      controllerManager: { extraArgs: [given, { name: "allocate-node-cidrs", value: "false" }] },
    });
  });

  it("has what the security of the cluster adds, under what the operator says of the same", () => {
    const settings = { hardening: "cis", isEncrypted: true, otherArgs: [] } as const;
    const hardened = {
      ...{ ...cluster, security: securityConfig(settings), encryption: { keys: undefined } },
      kubeadm: {
        ...cluster.kubeadm,
        clusterConfiguration: {
          apiServer: {
            extraArgs: [{ name: "profiling", value: "true" }],
            extraVolumes: [{ name: "own", hostPath: "/own", mountPath: "/own" }],
          },
          scheduler: { extraArgs: [{ name: "v", value: "4" }] },
        },
        kubeletConfiguration: { podPidsLimit: 100 },
      },
    };
    const master = { nodeName: "m1", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9" };
    const [, its, kubelet] = renderInitConfig(hardened, master)
      .split("---\n")
      .map((text): unknown => parse(text));
    const { args, volumes } = hardened.security.apiServer;
    const others = Object.entries(args).filter(([name]) => name !== "profiling");
    expect(others).toHaveLength(9);
    expect(its).toMatchObject({
      apiServer: {
        certSANs: ["10.0.0.9"],
        extraArgs: [
          { name: "profiling", value: "true" },
          ...others.map(([name, value]) => ({ name, value })),
        ],
        extraVolumes: [...volumes, { name: "own", hostPath: "/own", mountPath: "/own" }],
      },
      controllerManager: { extraArgs: [{ name: "profiling", value: "false" }] },
      scheduler: {
        extraArgs: [
          { name: "v", value: "4" },
          { name: "profiling", value: "false" },
        ],
      },
    });
    expect(kubelet).toMatchObject({ readOnlyPort: 0, seccompDefault: true, podPidsLimit: 100 });
  });

  it("has, for a worker, the API's address and a token", () => {
    const worker = { nodeName: "w1", nodeAddress: "10.0.0.6", apiAddress: "10.0.0.9" };
    expect(renderJoinConfig(cluster, { ...worker, ...secrets })).toBe(`apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration:
  name: w1
  criSocket: unix:///run/containerd/containerd.sock
  imagePullPolicy: IfNotPresent
  ignorePreflightErrors:
    - Swap
  kubeletExtraArgs:
    - name: node-ip
      value: 10.0.0.6
discovery:
  bootstrapToken:
    apiServerEndpoint: 10.0.0.9:6443
    token: abcdef.0123456789abcdef
    caCertHashes:
      - sha256:ab
`);
  });

  it("has, for a joining master, the address of its own API and the key for the certificates", () => {
    const master = { nodeName: "m2", nodeAddress: "fd00::6", apiAddress: "fd00::9", certificateKey: "cd" };
    expect(renderJoinConfig(cluster, { ...master, ...secrets })).toBe(`apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration:
  name: m2
  criSocket: unix:///run/containerd/containerd.sock
  imagePullPolicy: IfNotPresent
  ignorePreflightErrors:
    - Swap
  kubeletExtraArgs:
    - name: node-ip
      value: fd00::6
discovery:
  bootstrapToken:
    apiServerEndpoint: "[fd00::9]:6443"
    token: abcdef.0123456789abcdef
    caCertHashes:
      - sha256:ab
controlPlane:
  localAPIEndpoint:
    advertiseAddress: fd00::6
    bindPort: 6443
  certificateKey: cd
`);
  });

  it("has the name of the cluster as a text, whatever word it is", () => {
    const master = { nodeName: "m1", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.9" };
    expect(renderInitConfig({ ...cluster, vimName: "yes" }, master)).toContain('\nclusterName: "yes"\n');
  });

  it("keeps a hostile value a value", () => {
    const token = 'x"\n---\nkind: Evil';
    const text = renderJoinConfig(cluster, {
      nodeName: "w1",
      nodeAddress: "10.0.0.6",
      apiAddress: "10.0.0.9",
      token,
      caCertHash: "sha256:0",
    });
    // one document: several would not parse
    expect(parse(text)).toMatchObject({
      kind: "JoinConfiguration",
      discovery: { bootstrapToken: { token } },
    });
  });

  it("writes an IPv6 endpoint in brackets", () => {
    expect(endpoint("fd00::9", 6443)).toBe("[fd00::9]:6443");
    expect(endpoint("10.0.0.9", 6440)).toBe("10.0.0.9:6440");
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

it("the CNI's manifest has the cluster's addresses wherever it asks for them", () => {
  const cniManifest =
    "net: ${POD_CIDR} ${SERVICE_CIDR}\napi: ${API_HOST} ${API_PORT}\nagain: ${POD_CIDR} ${OTHER}\n";
  expect(renderCniManifest({ ...cluster, cniManifest }, "10.0.0.9")).toBe(
    "net: 10.244.0.0/16 10.96.0.0/12\napi: 10.0.0.9 6443\nagain: 10.244.0.0/16 ${OTHER}\n",
  );
});

it("flannel makes no overlay where routes of Neutron lead to pods", () => {
  const flannel = { ...cluster, cniManifest: "${FLANNEL_BACKEND}" };
  expect(renderCniManifest(flannel, "10.0.0.9")).toBe("vxlan");
  expect(renderCniManifest({ ...flannel, podRoutes: {} }, "10.0.0.9")).toBe("alloc");
});
