import { mustRun } from "./command";

/** The lab with the images of kube-router, Multus and kube-vip. */
export function labWithNetworks(): Promise<string> {
  return mustRun("lab/lab.sh", ["networks"]);
}

/** kube-router on a cluster whose Services are in 10.96.0.0/12, for its network policies alone. */
export function policiesCnf(vim: string): object {
  return podNetworksCnf(vim, "kube-router-policies", { SERVICE_CIDR: "10.96.0.0/12" });
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
