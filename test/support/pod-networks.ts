import { mustRun } from "./command";

/** The lab with the images of kube-router and Multus. */
export function labWithNetworks(): Promise<string> {
  return mustRun("lab/lab.sh", ["networks"]);
}

/** kube-router on a cluster, for its network policies alone. @param services CIDR of its Services */
export function policiesCnf(vim: string, services = "10.96.0.0/12"): object {
  return podNetworksCnf(vim, "kube-router-policies", { SERVICE_CIDR: services });
}

/** Multus on a cluster. */
export function multusCnf(vim: string): object {
  return podNetworksCnf(vim, "multus");
}

function podNetworksCnf(vim: string, file: string, variables?: object): object {
  return {
    package: "vnf-packages/pod-networks",
    vim,
    additionalParams: {
      "lcm-kubernetes-def-files": [`Files/kubernetes/${file}.yaml`],
      ...(variables && { variables }),
    },
  };
}
