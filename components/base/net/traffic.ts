/** Incoming traffic: an IP protocol in Neutron's terms, and ports if the protocol has them. */
export interface Traffic {
  readonly protocol: string;
  /** Range of ports. Undefined: the protocol has no ports. */
  readonly ports?: readonly [first: number, last: number];
}

const WITH_PORTS = ["tcp", "udp", "sctp"];
const WITHOUT_PORTS = ["ah", "esp", "gre", "icmp", "ipip"];

/**
 * Parses `udp/8472`, `tcp/4240-4245` or `esp`.
 * @returns undefined for other texts
 */
export function parseTraffic(text: string): Traffic | undefined {
  if (WITHOUT_PORTS.includes(text)) return { protocol: text };
  const [, protocol = "", from = "", to = from] = /^([a-z]+)\/([1-9]\d*)(?:-([1-9]\d*))?$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return WITH_PORTS.includes(protocol) && first <= last && last <= 65535
    ? { protocol, ports: [first, last] }
    : undefined;
}
