/** Settings of how the API of a cluster by a template is reached. */
interface Api {
  readonly loadBalancer?: unknown;
  readonly floatingIp?: unknown;
  readonly kubeVip?: unknown;
}

/**
 * Returns whether the floating IP of the API is on the one machine of the control plane. Cluster API cannot replace that
 * machine: CAPO gives the address to the new one before this has joined, so that nobody has the API any more.
 */
export function isOnMachine({ loadBalancer, floatingIp, kubeVip }: Api): boolean {
  return loadBalancer === false && kubeVip === undefined && typeof floatingIp === "string";
}

/** Why the machine stays, for faults and warnings. */
export const ON_MACHINE =
  "the API's floatingIp is on the only machine of the control plane, which Cluster API cannot replace without a loadBalancer";
