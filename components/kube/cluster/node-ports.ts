/** A range of ports, both ends included. */
export type PortRange = readonly [first: number, last: number];

/** Argument of kube-apiserver with the range of node ports. */
export const NODE_PORT_ARGUMENT = "service-node-port-range";

/** Default range of node ports. */
export const NODE_PORTS: PortRange = [30000, 32767];

/** Ports that security groups never open for Services: those of etcd, kubelets, kube-proxy and the control plane. */
const OF_NODES: readonly PortRange[] = [
  [22, 22],
  [2379, 2381],
  [10248, 10259],
];

/**
 * Parses a port range like kube-apiserver: `30000-32767`, `30000+2767` or one port.
 * @returns undefined for an invalid range
 */
export function parseNodePorts(text: string): PortRange | undefined {
  const [, from, sign, to] = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim()) ?? [];
  const first = Number(from);
  const last = to === undefined ? first : sign === "+" ? first + Number(to) : Number(to);
  return first >= 1 && first <= last && last <= 65535 ? [first, last] : undefined;
}

/** Returns the parts of a range that security groups may open. */
export function openNodePorts([first, last]: PortRange): PortRange[] {
  const ranges: PortRange[] = [];
  let next = first;
  for (const [from, to] of OF_NODES) {
    if (to < next || from > last) continue;
    if (from > next) ranges.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= last) ranges.push([next, last]);
  return ranges;
}

/** Returns true if the first range is inside the second. */
export function isWithin([first, last]: PortRange, [from, to]: PortRange): boolean {
  return from <= first && last <= to;
}
