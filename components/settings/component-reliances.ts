import type { Place } from "../base/findings";
import type { Configuration } from "../kube/cluster/configurations";
import { at, items, text } from "../kube/objects/object";
import { own } from "../base/own";

/** A field or an argument whose value vnfm, kubeadm or all nodes rely on. */
interface Reliance {
  /** The required value or its purpose, which the message shows after the name and "is". */
  readonly is: string;
  /** Returns true for a value that is allowed nevertheless. @default none */
  readonly allows?: (value: string) => boolean;
}

type Reliances = Readonly<Record<string, Reliance>>;

const only =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);
/** Returns true for an argument that Go's flag package reads as true. */
const isTrue = only("1", "t", "T", "true", "TRUE", "True");
export const isFalse = only("0", "f", "F", "false", "FALSE", "False");
const withAll =
  (...parts: readonly string[]) =>
  (value: string): boolean =>
    parts.every((one) => value.split(",").includes(one));

const OF_EACH_NODE = "another one on each node, which vnfm sets";

/** Fields of each document, by their paths. */
const FIELDS: Readonly<Record<Configuration, Reliances>> = {
  cluster_configuration: {
    certificatesDir: {
      is: "/etc/kubernetes/pki for vnfm's scripts on control-plane nodes",
      allows: only("/etc/kubernetes/pki"),
    },
    "etcd.external": {
      is: "for an external etcd, and vnfm adds and removes control-plane nodes as members of their own etcd",
    },
  },
  kubelet_configuration: {
    address: { is: "a setting of every node, and each has its own", allows: only("0.0.0.0", "::") },
    "authentication.x509.clientCAFile": {
      is: "the cluster's CA, with which kubelets authenticate the API server",
      allows: only("/etc/kubernetes/pki/ca.crt"),
    },
    containerRuntimeEndpoint: {
      is: "containerd's, which vnfm passes to kubeadm",
      allows: only("unix:///run/containerd/containerd.sock", "unix:///var/run/containerd/containerd.sock"),
    },
    enableServer: { is: "the port from which the API server reads logs and health", allows: only("true") },
    podCIDR: { is: OF_EACH_NODE },
    port: { is: "10250 for security groups and the API server", allows: only("10250") },
    providerID: { is: OF_EACH_NODE },
    registerNode: { is: "how a node becomes a member of the cluster", allows: only("true") },
    runOnce: { is: "for kubelets that exit, and a node's keeps running", allows: only("false") },
    staticPodPath: {
      is: "/etc/kubernetes/manifests for kubeadm and vnfm's scripts on control-plane nodes",
      allows: only("/etc/kubernetes/manifests"),
    },
  },
  kube_proxy_configuration: {
    "clientConnection.kubeconfig": {
      is: "where kubeadm stores it",
      allows: only("/var/lib/kube-proxy/kubeconfig.conf"),
    },
    hostnameOverride: { is: OF_EACH_NODE },
  },
};

/** Records additions to a document with which the cluster would not start. */
export function checkReliances(setting: Configuration, document: unknown, place: Place): void {
  for (const [key, { is, allows }] of Object.entries(FIELDS[setting])) {
    const keys = key.split(".");
    const value = at(document, ...keys);
    if (value === undefined || value === null) continue;
    if (allows?.(typeof value === "string" ? value : JSON.stringify(value))) continue;
    place.get(...keys).fault(`is ${is}; remove it`);
  }
}

const KUBECONFIGS: Reliances = Object.fromEntries(
  ["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"].map((name) => [
    name,
    { is: "where kubeadm stores it" },
  ]),
);
const OF_KUBEADM = { is: "set by kubeadm, for its own etcd" };
const OF_EACH_MASTER = { is: "another one on each control-plane node, which kubeadm sets" };
const SERVICES = { is: "the Service CIDR, which has its own setting" };
const SERVING = {
  is: "signed by the cluster's CA, which all clients of the API trust: set another certificate as tls-sni-cert-key",
};

/** Arguments by component; a component is named by its path in kubeadm's ClusterConfiguration. */
const ARGUMENTS = {
  apiServer: {
    "advertise-address": OF_EACH_MASTER,
    "allow-privileged": { is: "true for kube-proxy and the CNI", allows: isTrue },
    "anonymous-auth": {
      is:
        "true for the probes of kubelets, of load balancers and of kubeadm, and for nodes that join; hardening: cis allows " +
        "only these requests",
      allows: isTrue,
    },
    "authorization-mode": { is: "Node and RBAC, and perhaps others", allows: withAll("Node", "RBAC") },
    "bind-address": { is: "each address of each control-plane node", allows: only("0.0.0.0", "::") },
    "enable-bootstrap-token-auth": { is: "true for nodes that join", allows: isTrue },
    "etcd-cafile": OF_KUBEADM,
    "etcd-certfile": OF_KUBEADM,
    "etcd-keyfile": OF_KUBEADM,
    "etcd-prefix": { is: "/registry for vnfm's queries of etcd", allows: only("/registry") },
    "etcd-servers": OF_KUBEADM,
    "secure-port": { is: "6443 for load balancers, security groups and kubeadm", allows: only("6443") },
    "service-cluster-ip-range": SERVICES,
    "tls-cert-file": SERVING,
    "tls-private-key-file": SERVING,
  },
  controllerManager: {
    ...KUBECONFIGS,
    "cluster-cidr": { is: "the pod CIDR, which has its own setting" },
    "cluster-name": { is: "the cluster's name, which has its own setting" },
    controllers: {
      is: "all of them, with bootstrapsigner and tokencleaner, which joining nodes need",
      allows: withAll("*", "bootstrapsigner", "tokencleaner"),
    },
    "secure-port": { is: "10257 for kubeadm's probes", allows: only("10257") },
    "service-cluster-ip-range": SERVICES,
  },
  scheduler: {
    ...KUBECONFIGS,
    "secure-port": { is: "10259 for kubeadm's probes", allows: only("10259") },
  },
  "etcd.local": {
    "advertise-client-urls": OF_EACH_MASTER,
    "cert-file": OF_KUBEADM,
    "client-cert-auth": { is: "true, or everyone could write to etcd", allows: isTrue },
    "data-dir": { is: "the value of etcd.local.dataDir" },
    "initial-advertise-peer-urls": OF_EACH_MASTER,
    "initial-cluster": OF_EACH_MASTER,
    "initial-cluster-state": OF_EACH_MASTER,
    "key-file": OF_KUBEADM,
    "listen-client-urls": { ...OF_EACH_MASTER, allows: only("https://0.0.0.0:2379") },
    "listen-metrics-urls": {
      is: "http at port 2381 of the control-plane node itself, for kubeadm's probes, and perhaps others",
      allows: (urls) => /(^|,)http:\/\/(127\.0\.0\.1|0\.0\.0\.0|localhost):2381(,|$)/.test(urls),
    },
    "listen-peer-urls": { ...OF_EACH_MASTER, allows: only("https://0.0.0.0:2380") },
    name: OF_EACH_MASTER,
    "peer-cert-file": OF_KUBEADM,
    "peer-client-cert-auth": { is: "true, or everyone could become a member", allows: isTrue },
    "peer-key-file": OF_KUBEADM,
    "peer-trusted-ca-file": OF_KUBEADM,
    "trusted-ca-file": OF_KUBEADM,
  },
} satisfies Readonly<Record<string, Reliances>>;

export type Component = keyof typeof ARGUMENTS;
export const COMPONENTS = Object.keys(ARGUMENTS) as Component[];

/**
 * Records arguments of a component with which the cluster would not start.
 * @param place of the setting with the arguments
 */
export function checkArguments(
  component: Component,
  args: readonly (readonly [name: string, value: string])[],
  place: Place,
): void {
  const reliances: Reliances = ARGUMENTS[component];
  for (const [name, value] of args) {
    const reliance = own(reliances, name);
    if (reliance === undefined || reliance.allows?.(value)) continue;
    place.fault(`has ${name}, which is ${reliance.is}; remove it`);
  }
}

/** The arguments of a component in a ClusterConfiguration. Invalid ones are left out: another check reports them. */
export function argumentsOf(component: Component, clusterConfiguration: unknown): [string, string][] {
  const extraArgs = items(at(clusterConfiguration, ...component.split("."), "extraArgs"));
  return extraArgs.flatMap((arg): [string, string][] => {
    const [name, value] = [text(at(arg, "name")), text(at(arg, "value"))];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}
