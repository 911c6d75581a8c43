/** Documents of kubeadm's configuration that an operator may extend, by setting. */
export const CONFIGURATIONS = {
  cluster_configuration: { apiVersion: "kubeadm.k8s.io/v1beta4", kind: "ClusterConfiguration" },
  kubelet_configuration: { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" },
  kube_proxy_configuration: {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
  },
} as const;

export type Configuration = keyof typeof CONFIGURATIONS;
