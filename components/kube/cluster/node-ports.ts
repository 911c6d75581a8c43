/** The first and the last of some ports. */
export type PortRange = readonly [first: number, last: number];

/** Argument of kube-apiserver with the range of node ports. */
export const NODE_PORT_ARGUMENT = "service-node-port-range";

/** The ports of Services on nodes by default. */
export const NODE_PORTS: PortRange = [30000, 32767];

/** Ports of nodes that are no node ports: those of etcd, kubelets, kube-proxy and the control plane. */
const OF_NODES: readonly PortRange[] = [
  [22, 22],
  [2379, 2381],
  [10248, 10259],
];

/** Reads ports as kube-apiserver does: `30000-32767`, `30000+2767` or one. @returns undefined if the text is none */
export function parseNodePorts(text: string): PortRange | undefined {
  const [, from, sign, to] = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim()) ?? [];
  const first = Number(from);
  const last = to === undefined ? first : sign === "+" ? first + Number(to) : Number(to);
  return first >= 1 && first <= last && last <= 65535 ? [first, last] : undefined;
}

/** Returns what of a range security groups may open. */
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

/** Returns whether a range has no port out of another one. */
export function isWithin([first, last]: PortRange, [from, to]: PortRange): boolean {
  return from <= first && last <= to;
}
