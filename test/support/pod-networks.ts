import { mustRun } from "./command";

/** Adds the images of kube-router, Multus and kube-vip to the lab. */
export function labWithNetworks(): Promise<string> {
  return mustRun("lab/lab.sh", ["networks"]);
}

/** Returns a CNF with kube-router, which only enforces network policies. The Service CIDR must be 10.96.0.0/12. */
export function policiesCnf(vim: string): object {
  return podNetworksCnf(vim, "kube-router-policies", { SERVICE_CIDR: "10.96.0.0/12" });
}

/** Returns a CNF with Multus. */
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
