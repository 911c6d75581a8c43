/** Exports for a Pulumi program: a whole stack, or its instances as components. */
export { Cluster, Cnf, KubernetesCluster, Servers, WorkloadCluster } from "./program/components";
export type { CnfArgs, KubernetesClusterArgs, ServersArgs, WorkloadClusterArgs } from "./program/components";
export { OPENSTACK_PROVIDER_VERSION } from "./deploy/openstack/provider-release";
export { stack } from "./program/stack";
