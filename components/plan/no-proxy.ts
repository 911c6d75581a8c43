/** Destinations that servers of a cluster reach without the proxy. */
interface Inside {
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** CIDRs of IPv6 in a dual-stack cluster. */
  readonly ipv6?: Pick<Inside, "podCidr" | "serviceCidr"> | undefined;
  /** Address or CIDR of the nodes. Undefined: not known. */
  readonly nodes: string | undefined;
  /** DNS domain of Services. */
  readonly dnsDomain: string;
}

/** Kubeadm's default for the DNS domain of Services. */
export const DNS_DOMAIN = "cluster.local";

/**
 * The value of NO_PROXY: exceptions of the operator, and all destinations inside of the cluster. Blocks of addresses
 * are written as CIDRs.
 * @param extra exceptions of the operator, separated by commas
 */
export function noProxy(
  extra: string | undefined,
  { podCidr, serviceCidr, ipv6, nodes, dnsDomain }: Inside,
): string {
  const ofOperator = extra?.split(",").map((entry) => entry.trim()) ?? [];
  const local = ["127.0.0.1", "localhost", ".svc", `.${dnsDomain}`];
  const entries = [...ofOperator, ...local, podCidr, serviceCidr, ...Object.values(ipv6 ?? {}), nodes ?? ""];
  return [...new Set(entries.filter(Boolean))].join(",");
}
