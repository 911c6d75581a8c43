import { checkKubeadm, kubeadmWarnings } from "../../../components/plan/kubeadm/kubeadm-additions";
import type { KubeadmAdditions } from "../../../components/settings/model";
import { kubeadmCluster } from "../../support/configs";
import { placeOf } from "../places";

const V1BETA4 = "kubeadm.k8s.io/v1beta4";
const KUBELET = "kubelet.config.k8s.io/v1beta1";

/** @returns faults, and warnings */
function check(kubeadm: KubeadmAdditions, kubernetes_version?: string): [readonly string[], string[]] {
  const params = { kubeadm, ...(kubernetes_version !== undefined && { kubernetes_version }) };
  const place = placeOf("k8s").get("kubeadm");
  checkKubeadm(params, place);
  return [place.findings.texts, kubeadmWarnings(params, place)];
}

const wrong = (kubeadm: KubeadmAdditions) => {
  const [faults, warnings] = check(kubeadm);
  expect(warnings).toEqual([]);
  return faults;
};

it("takes what the three documents have", () => {
  const { k8s_cluster_installation_param: lab } = kubeadmCluster() as {
    k8s_cluster_installation_param: { kubeadm: KubeadmAdditions };
  };
  const kubeadm = {
    cluster_configuration: {
      apiServer: {
        certSANs: ["api.example"],
        extraArgs: [{ name: "v", value: "2" }],
        extraVolumes: [{ name: "a", hostPath: "/a", mountPath: "/a", readOnly: true, pathType: "File" }],
        extraEnvs: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
      },
      etcd: { local: { extraArgs: [], dataDir: "/var/lib/etcd" } },
      featureGates: { RootlessControlPlane: true },
      certificateValidityPeriod: "8760h",
      networking: { dnsDomain: "cluster.local" },
    },
    kubelet_configuration: {
      maxPods: 250,
      evictionHard: { "memory.available": "200Mi" },
      memoryThrottlingFactor: 0.9,
      registerWithTaints: [{ key: "a", effect: "NoSchedule" }],
      staticPodURLHeader: { a: ["b"] },
      shutdownGracePeriodByPodPriority: [{ priority: 1, shutdownGracePeriodSeconds: 10 }],
      logging: { flushFrequency: 5_000_000_000, verbosity: 2 },
    },
    kube_proxy_configuration: { mode: "nftables", clientConnection: { qps: 5.5 }, conntrack: { min: 0 } },
  };
  for (const version of [undefined, "v1.31.0", "v1.37.9", "v1.60.0"]) {
    expect(check(kubeadm, version)).toEqual([[], []]);
    expect(check(lab.kubeadm, version)).toEqual([[], []]);
  }
});

it.each([
  [500, [], "500 pods are more than the 253 addresses of a node's /24"],
  [
    110,
    [{ name: "node-cidr-mask-size-ipv4", value: "26" }],
    "110 pods are more than the 61 addresses of a node's /26",
  ],
  [500, [{ name: "node-cidr-mask-size-ipv4", value: "23" }], undefined],
  [500, [{ name: "allocate-node-cidrs", value: "false" }], undefined],
])("%s pods of a node, with the arguments %j, are warned of as %s", (maxPods, extraArgs, warning) => {
  const [faults, warnings] = check(
    { kubelet_configuration: { maxPods }, cluster_configuration: { controllerManager: { extraArgs } } },
    "v1.33.0",
  );
  const rest =
    ": further pods do not start, unless the CNI gets addresses from elsewhere, as Calico and Cilium can";
  expect(faults).toEqual([]);
  expect(warnings).toEqual(
    warning === undefined ? [] : [`k8s.kubeadm.kubelet_configuration.maxPods: ${warning}${rest}`],
  );
});

it("refuses what has another type, in words of its own, wherever it is, and whatever the version is", () => {
  const kubeadm = {
    cluster_configuration: {
      // as v1beta3 has it
      apiServer: { extraArgs: { "audit-log-path": "/var/log/audit" }, certSANs: "api.example" },
      scheduler: { extraArgs: [{ name: "v", value: 2 }, "v=2"] },
      dns: { imageTag: 1.12 },
      featureGates: { RootlessControlPlane: "true" },
      etcd: [],
      networking: null,
    },
    kubelet_configuration: {
      maxPods: "250",
      evictionHard: { "nodefs.inodesFree": 5 },
      podPidsLimit: 1.5,
      clusterDNS: { a: 1 },
      authentication: { webhook: { cacheTTL: 60 } },
      tlsCipherSuites: [1],
    },
    kube_proxy_configuration: { clientConnection: { qps: "5" } },
  };
  const expected = [
    `cluster_configuration.apiServer.extraArgs: is a map; in ${V1BETA4} it is a list of maps with name, value`,
    `cluster_configuration.apiServer.certSANs: is a text; in ${V1BETA4} it is a list of texts`,
    `cluster_configuration.scheduler.extraArgs[0].value: is a number; in ${V1BETA4} it is a text`,
    `cluster_configuration.scheduler.extraArgs[1]: is a text; in ${V1BETA4} it is a map with name, value`,
    `cluster_configuration.dns.imageTag: is a number; in ${V1BETA4} it is a text`,
    `cluster_configuration.featureGates.RootlessControlPlane: is a text; in ${V1BETA4} it is a boolean`,
    `cluster_configuration.etcd: is a list; in ${V1BETA4} it is a map with external, local`,
    "cluster_configuration.networking: is empty; set a value or remove it",
    `kubelet_configuration.maxPods: is a text; in ${KUBELET} it is a whole number`,
    `kubelet_configuration.evictionHard["nodefs.inodesFree"]: is a number; in ${KUBELET} it is a text`,
    `kubelet_configuration.podPidsLimit: is a number; in ${KUBELET} it is a whole number`,
    `kubelet_configuration.clusterDNS: is a map; in ${KUBELET} it is a list of texts`,
    `kubelet_configuration.authentication.webhook.cacheTTL: is a number; in ${KUBELET} it is a duration, as in 1m30s`,
    `kubelet_configuration.tlsCipherSuites[0]: is a number; in ${KUBELET} it is a text`,
    "kube_proxy_configuration.clientConnection.qps: is a text; in kubeproxy.config.k8s.io/v1alpha1 it is a number",
  ].map((text) => `k8s.kubeadm.${text}`);
  expect(wrong(kubeadm)).toEqual(expected);
  expect(check(kubeadm, "v1.33.0")).toEqual([expected, []]);
});

it("refuses a field that the version asked for has not, and only warns where the version may be newer", () => {
  const kubeadm = {
    cluster_configuration: { apiserver: {}, constructor: 1, dns: { toString: "x" } },
    kubelet_configuration: JSON.parse('{ "__proto__": 1 }') as Record<string, unknown>,
  };
  const unknown = [
    `k8s.kubeadm.cluster_configuration.apiserver: ${V1BETA4} has no such field; did you mean "apiServer"?`,
    `k8s.kubeadm.cluster_configuration.constructor: ${V1BETA4} has no such field`,
    `k8s.kubeadm.cluster_configuration.dns.toString: ${V1BETA4} has no such field`,
    `k8s.kubeadm.kubelet_configuration.__proto__: ${KUBELET} has no such field`,
  ];
  expect(check(kubeadm, "v1.33.0")).toEqual([unknown, []]);
  const warnings = unknown.map(
    (text) =>
      `${text}; allowed: the fields of Kubernetes 1.31 to 1.37, and kubeadm rejects unknown fields on the first machine, before the cluster is bootstrapped`,
  );
  expect(check(kubeadm)).toEqual([[], warnings]);
  expect(check(kubeadm, "v1.38.0")).toEqual([[], warnings]);
});

it("refuses a field that came later than the version asked for", () => {
  const kubeadm = { kubelet_configuration: { userNamespaces: { idsPerPod: 65536 } } };
  expect(check(kubeadm, "v1.32.9")).toEqual([
    [
      "k8s.kubeadm.kubelet_configuration.userNamespaces: is a field of Kubernetes 1.33 and newer; remove it, or raise kubernetes_version",
    ],
    [],
  ]);
  for (const version of [undefined, "v1.33.0"]) expect(check(kubeadm, version)).toEqual([[], []]);
});

it("refuses a value that kubeadm, the kubelet or kube-proxy would refuse on a node", () => {
  const kubeadm = {
    cluster_configuration: {
      apiServer: { certSANs: ["api.example", "*.example", "192.0.2.1", "fd00::1", "https://api.example"] },
      certificateValidityPeriod: "1y",
      encryptionAlgorithm: "RSA",
      etcd: { local: { dataDir: "etcd" } },
      networking: { dnsDomain: "cluster local" },
    },
    kubelet_configuration: {
      syncFrequency: "thirty",
      streamingConnectionIdleTimeout: "0",
      evictionPressureTransitionPeriod: "1m30.5s",
      cpuManagerPolicy: "statik",
      memoryManagerPolicy: "",
      topologyManagerPolicy: "best-effort",
      tlsMinVersion: "1.2",
      evictionHard: { "memory.available": "5%", "nodefs.available": "lots" },
      evictionSoftGracePeriod: { "memory.available": "soon" },
      kubeReserved: { cpu: "500m", memory: "1 GiB" },
      imageGCHighThresholdPercent: 101,
      maxPods: -1,
      clusterDNS: ["10.96.0.10", "dns.example"],
      enforceNodeAllocatable: ["pods", "all"],
      logging: { format: "yaml" },
      memorySwap: { swapBehavior: "UnlimitedSwap" },
    },
    kube_proxy_configuration: {
      mode: "ipvx",
      metricsBindAddress: "0.0.0.0",
      healthzBindAddress: "[::]:0",
      nodePortAddresses: ["primary", "10.0.0.0"],
      ipvs: { syncPeriod: "30" },
    },
  };
  expect(wrong(kubeadm)).toEqual(
    [
      'cluster_configuration.apiServer.certSANs[4]: "https://api.example" is neither an IP address nor a DNS name',
      'cluster_configuration.certificateValidityPeriod: "1y" is not a duration, as in 1m30s',
      'cluster_configuration.encryptionAlgorithm: "RSA" is not one of RSA-2048, RSA-3072, RSA-4096, ECDSA-P256, ECDSA-P384',
      'cluster_configuration.etcd.local.dataDir: "etcd" is not an absolute path',
      'cluster_configuration.networking.dnsDomain: "cluster local" is not a DNS name',
      'kubelet_configuration.syncFrequency: "thirty" is not a duration, as in 1m30s',
      'kubelet_configuration.cpuManagerPolicy: "statik" is not one of none, static',
      'kubelet_configuration.tlsMinVersion: "1.2" is not one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13',
      'kubelet_configuration.evictionHard["nodefs.available"]: "lots" is neither a quantity, as in 500Mi, nor a percentage, as in 10%',
      'kubelet_configuration.evictionSoftGracePeriod["memory.available"]: "soon" is not a duration, as in 1m30s',
      'kubelet_configuration.kubeReserved.memory: "1 GiB" is not a quantity, as in 500Mi',
      "kubelet_configuration.imageGCHighThresholdPercent: 101 must be 0 to 100",
      "kubelet_configuration.maxPods: -1 must be at least 0",
      'kubelet_configuration.clusterDNS[1]: "dns.example" is not an IP address',
      'kubelet_configuration.enforceNodeAllocatable[1]: "all" is not one of none, pods, system-reserved, system-reserved-compressible, kube-reserved, kube-reserved-compressible',
      'kubelet_configuration.logging.format: "yaml" is not one of text, json',
      'kubelet_configuration.memorySwap.swapBehavior: "UnlimitedSwap" is not one of LimitedSwap, NoSwap',
      'kube_proxy_configuration.mode: "ipvx" is not one of iptables, ipvs, nftables',
      'kube_proxy_configuration.healthzBindAddress: "[::]:0" is not an address with a port, as in 0.0.0.0:10249',
      'kube_proxy_configuration.nodePortAddresses[1]: "10.0.0.0" is not a CIDR, as in 10.0.0.0/24',
      'kube_proxy_configuration.ipvs.syncPeriod: "30" is not a duration, as in 1m30s',
    ].map((text) => `k8s.kubeadm.${text}`),
  );
});

const args = (values: Readonly<Record<string, string>>) => ({
  extraArgs: Object.entries(values).map(([name, value]) => ({ name, value })),
});

it("refuses what the program, kubeadm or the nodes together rely on, and says for what", () => {
  const kubeadm = {
    cluster_configuration: {
      certificatesDir: "/pki",
      apiServer: args({
        "anonymous-auth": "false",
        "secure-port": "7443",
        "authorization-mode": "RBAC",
        "service-cluster-ip-range": "10.0.0.0/16",
        "tls-cert-file": "/tls.crt",
      }),
      controllerManager: args({ controllers: "*", "cluster-cidr": "10.0.0.0/16" }),
      scheduler: args({ "secure-port": "0" }),
      etcd: {
        external: { endpoints: ["https://192.0.2.9:2379"] },
        local: args({
          "listen-metrics-urls": "http://0.0.0.0:9000",
          "advertise-client-urls": "https://10.0.0.5:2379",
        }),
      },
    },
    kubelet_configuration: {
      port: 10350,
      enableServer: false,
      providerID: "openstack:///a",
      staticPodPath: "/manifests",
      authentication: { x509: { clientCAFile: "/ca.crt" } },
    },
    kube_proxy_configuration: { hostnameOverride: "node", clientConnection: { kubeconfig: "/kubeconfig" } },
  };
  expect(wrong(kubeadm)).toEqual(
    [
      "cluster_configuration.certificatesDir: is /etc/kubernetes/pki for vnfm's scripts on control-plane nodes; remove it",
      "cluster_configuration.etcd.external: is for an external etcd, and vnfm adds and removes control-plane nodes as members of their own etcd; remove it",
      "kubelet_configuration.authentication.x509.clientCAFile: is the cluster's CA, with which kubelets authenticate the API server; remove it",
      "kubelet_configuration.enableServer: is the port from which the API server reads logs and health; remove it",
      "kubelet_configuration.port: is 10250 for security groups and the API server; remove it",
      "kubelet_configuration.providerID: is another one on each node, which vnfm sets; remove it",
      "kubelet_configuration.staticPodPath: is /etc/kubernetes/manifests for kubeadm and vnfm's scripts on control-plane nodes; remove it",
      "kube_proxy_configuration.clientConnection.kubeconfig: is where kubeadm stores it; remove it",
      "kube_proxy_configuration.hostnameOverride: is another one on each node, which vnfm sets; remove it",
      "cluster_configuration.apiServer.extraArgs: has anonymous-auth, which is true for the probes of kubelets, of load balancers and of kubeadm, and for nodes that join; hardening: cis allows only these requests; remove it",
      "cluster_configuration.apiServer.extraArgs: has secure-port, which is 6443 for load balancers, security groups and kubeadm; remove it",
      "cluster_configuration.apiServer.extraArgs: has authorization-mode, which is Node and RBAC, and perhaps others; remove it",
      "cluster_configuration.apiServer.extraArgs: has service-cluster-ip-range, which is the Service CIDR, which has its own setting; remove it",
      "cluster_configuration.apiServer.extraArgs: has tls-cert-file, which is signed by the cluster's CA, which all clients of the API trust: set another certificate as tls-sni-cert-key; remove it",
      "cluster_configuration.controllerManager.extraArgs: has controllers, which is all of them, with bootstrapsigner and tokencleaner, which joining nodes need; remove it",
      "cluster_configuration.controllerManager.extraArgs: has cluster-cidr, which is the pod CIDR, which has its own setting; remove it",
      "cluster_configuration.scheduler.extraArgs: has secure-port, which is 10259 for kubeadm's probes; remove it",
      "cluster_configuration.etcd.local.extraArgs: has listen-metrics-urls, which is http at port 2381 of the control-plane node itself, for kubeadm's probes, and perhaps others; remove it",
      "cluster_configuration.etcd.local.extraArgs: has advertise-client-urls, which is another one on each control-plane node, which kubeadm sets; remove it",
    ].map((text) => `k8s.kubeadm.${text}`),
  );
});

it("takes of that what changes nothing", () => {
  const kubeadm = {
    cluster_configuration: {
      certificatesDir: "/etc/kubernetes/pki",
      apiServer: args({
        "anonymous-auth": "True",
        "allow-privileged": "1",
        "authorization-mode": "Node,RBAC,Webhook",
        "authorization-webhook-config-file": "/etc/kubernetes/pki/webhook.yaml",
        "bind-address": "0.0.0.0",
      }),
      controllerManager: args({
        controllers: "*,bootstrapsigner,tokencleaner,-ttl",
        "bind-address": "0.0.0.0",
      }),
      etcd: {
        local: args({ "listen-metrics-urls": "http://0.0.0.0:2381", "quota-backend-bytes": "8589934592" }),
      },
    },
    kubelet_configuration: { port: 10250, enableServer: true, address: "0.0.0.0", serverTLSBootstrap: true },
  };
  expect(check(kubeadm, "v1.33.0")).toEqual([[], []]);
});
