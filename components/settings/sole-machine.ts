/** Settings for the address of the API of a cluster from a template. */
interface Api {
  readonly loadBalancer?: unknown;
  readonly floatingIp?: unknown;
  readonly kubeVip?: unknown;
}

/**
 * Returns true if the API's floating IP is on the only machine of the control plane. Cluster API cannot replace that
 * machine: CAPO moves the address to the new machine before this has joined, and the API is unreachable from then on.
 */
export function isOnMachine({ loadBalancer, floatingIp, kubeVip }: Api): boolean {
  return loadBalancer === false && kubeVip === undefined && typeof floatingIp === "string";
}

/** The reason for errors and warnings why that machine cannot be replaced. */
export const ON_MACHINE =
  "the API's floatingIp is on the only machine of the control plane, which Cluster API cannot replace without a loadBalancer";
