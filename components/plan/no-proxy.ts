/** What a server of a cluster reaches by itself. */
interface Inside {
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** Those of IPv6, where the cluster has dual stack. */
  readonly ipv6?: Pick<Inside, "podCidr" | "serviceCidr"> | undefined;
  /** An address or a block of addresses. Undefined where those of the nodes are not known. */
  readonly nodes: string | undefined;
  /** Domain of the names of Services. */
  readonly dnsDomain: string;
}

/** The domain of Services that kubeadm gives a cluster by default. */
export const DNS_DOMAIN = "cluster.local";

/**
 * The exceptions from a proxy, as NO_PROXY has them: those of the operator, and what is inside of the cluster. Blocks of
 * addresses stand there as CIDRs, never address by address.
 *
 * @param given of the operator, separated by commas
 */
export function noProxy(
  given: string | undefined,
  { podCidr, serviceCidr, ipv6, nodes, dnsDomain }: Inside,
): string {
  const ofOperator = given?.split(",").map((entry) => entry.trim()) ?? [];
  const local = ["127.0.0.1", "localhost", ".svc", `.${dnsDomain}`];
  const entries = [...ofOperator, ...local, podCidr, serviceCidr, ...Object.values(ipv6 ?? {}), nodes ?? ""];
  return [...new Set(entries.filter(Boolean))].join(",");
}
