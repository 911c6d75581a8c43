import { kubeadmFaults, kubeadmWarnings } from "../../../components/plan/kubeadm/kubeadm-additions";
import type { KubeadmAdditions } from "../../../components/settings/installation-model";
import { kubeadmCluster } from "../../support/configs";

const V1BETA4 = "kubeadm.k8s.io/v1beta4";
const KUBELET = "kubelet.config.k8s.io/v1beta1";

/** @returns faults, and warnings */
function check(kubeadm: KubeadmAdditions, kubernetes_version?: string): [string[], string[]] {
  const params = { kubeadm, ...(kubernetes_version !== undefined && { kubernetes_version }) };
  return [kubeadmFaults(params, "k8s"), kubeadmWarnings(params, "k8s")];
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
      featureGates: { ControlPlaneKubeletLocalMode: true },
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
    "cluster_configuration.networking: is empty; give a value or leave it out",
    `kubelet_configuration.maxPods: is a text; in ${KUBELET} it is a whole number`,
    `kubelet_configuration.evictionHard["nodefs.inodesFree"]: is a number; in ${KUBELET} it is a text`,
    `kubelet_configuration.podPidsLimit: is a number; in ${KUBELET} it is a whole number`,
    `kubelet_configuration.clusterDNS: is a map; in ${KUBELET} it is a list of texts`,
    `kubelet_configuration.authentication.webhook.cacheTTL: is a number; in ${KUBELET} it is a text`,
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
      `${text}; known are those of Kubernetes 1.31 to 1.37, and kubeadm refuses on the first master, before the cluster begins, what it does not know`,
  );
  expect(check(kubeadm)).toEqual([[], warnings]);
  expect(check(kubeadm, "v1.38.0")).toEqual([[], warnings]);
});

it("refuses a field that came later than the version asked for", () => {
  const kubeadm = { kubelet_configuration: { userNamespaces: { idsPerPod: 65536 } } };
  expect(check(kubeadm, "v1.32.9")).toEqual([
    [
      "k8s.kubeadm.kubelet_configuration.userNamespaces: is a field of Kubernetes 1.33 and newer; leave it out, or raise kubernetes_version",
    ],
    [],
  ]);
  for (const version of [undefined, "v1.33.0"]) expect(check(kubeadm, version)).toEqual([[], []]);
});
