import type { Cluster } from "./cluster";

/** Kubernetes versions of the lab: an upgrade leads from `FROM` to `TO`. */
export const FROM = "v1.33.0";
export const TO = "v1.34.4";

/** Glance image with `FROM`, the default of the VNFD. */
export const IMAGE_OF_FROM = `debian-12-kube-${FROM}`;

/** Glance image with `TO`; `lab/lab.sh image` builds it. */
export const IMAGE_OF_TO = `debian-12-kube-${TO}`;

/** Returns options of `vnfm upgrade` that set the image of control-plane nodes and workers. */
export const withImages = (image: string): string[] =>
  ["masterNode", "workerNode"].flatMap((vdu) => ["--image", `${vdu}=${image}`]);

/** Options of `vnfm upgrade` with the image of `TO`. */
export const WITH_IMAGES = withImages(IMAGE_OF_TO);

/** Container images of the control plane and of kubeadm's addons at version `TO`. */
export const IMAGES_OF_TO = [
  "registry.k8s.io/coredns/coredns:v1.12.1",
  "registry.k8s.io/etcd:3.6.5-0",
  ...["kube-apiserver", "kube-controller-manager", "kube-proxy", "kube-scheduler"].map(
    (name) => `registry.k8s.io/${name}:${TO}`,
  ),
];

interface Node {
  readonly metadata: { readonly name: string };
  readonly status: { readonly nodeInfo: { readonly kubeletVersion: string } };
}

interface Pod {
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
}

/** Returns the version of each Node's kubelet. */
export async function kubelets(cluster: Cluster): Promise<Record<string, string>> {
  const nodes = await cluster.list<Node>("nodes");
  return Object.fromEntries(
    nodes.map(({ metadata, status }) => [metadata.name, status.nodeInfo.kubeletVersion]),
  );
}

/** Lists the container images of kubeadm's Pods in kube-system, sorted, each once. */
export async function controlPlaneImages(cluster: Cluster): Promise<string[]> {
  const labels = ["tier=control-plane", "k8s-app in (kube-proxy, kube-dns)"];
  const pods = await Promise.all(
    labels.map((label) => cluster.list<Pod>("pods", "-n", "kube-system", "-l", label)),
  );
  return [...new Set(pods.flat().flatMap(({ spec }) => spec.containers.map(({ image }) => image)))].sort();
}
