/** Returns a template of workload clusters on the lab. */
export function clusterTemplate(): object {
  return {
    kubernetesVersion: "v1.33.0",
    image: "debian-12-kube-v1.33.0",
    controlPlane: { flavor: "m1.medium" },
    nodeGroup: { flavor: "m1.small" },
    network: { externalNetwork: "public", dnsNameservers: ["198.19.0.1"] },
    apiServer: { loadBalancerProvider: "ovn" },
  };
}

/** Returns an instance from the template `kube`. */
export function templateCluster(changes: object = {}): object {
  return {
    clusterTemplate: "kube",
    vim: "management",
    nodeGroups: { default: { replicas: 1 } },
    ...changes,
  };
}
