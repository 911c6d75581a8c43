/** What a Pulumi program imports. */
export type { CnfArgs, KubernetesClusterArgs, ServersArgs, WorkloadClusterArgs } from "./program/arguments";
export { Cnf, KubernetesCluster, Servers, WorkloadCluster } from "./program/components";
export { stack } from "./program/stack";
