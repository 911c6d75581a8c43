import { blocksIn, prefixLength, type Cidr } from "../../base/net/cidr";
import type { Place } from "../../base/findings";

/** Default prefix length of a node's pod CIDR, by IP version. */
export const NODE_PREFIXES = { 4: 24, 6: 64 } as const;

/** Shortest and longest prefix of the Service CIDR that kubeadm allows, by IP version. */
const SERVICE_PREFIXES = { 4: [12, 28], 6: [108, 124] } as const;

/**
 * Maximum difference between the prefix lengths of the pod CIDR and of a node's part of it, in kubeadm and
 * kube-controller-manager.
 */
const MOST_BITS_OF_NODES = 16;

/** Number of addresses in a node's pod CIDR that no pod gets: the first, the last, and the bridge's. */
const ADDRESSES_OF_NO_POD = 3;

/** Arguments of kube-controller-manager by name. */
type Arguments = ReadonlyMap<string, string>;

const MASK = "node-cidr-mask-size";

/** Returns true if arguments set the size of a node's pod CIDR. */
export function hasOwnNodeMask(args: Arguments): boolean {
  return [MASK, `${MASK}-ipv4`, `${MASK}-ipv6`].some((name) => args.has(name));
}

/** Returns the prefix length of a node's pod CIDR. The cluster has IPv4, and possibly IPv6. */
export function nodePrefix(version: 4 | 6, args: Arguments): number {
  const size = args.get(`${MASK}-ipv${version}`) ?? (version === 4 ? args.get(MASK) : undefined);
  return size === undefined ? NODE_PREFIXES[version] : Number(size);
}

/**
 * Records arguments with which kube-controller-manager does not start.
 * @param place of the arguments
 */
export function checkNodeMasks(args: Arguments, isDualStack: boolean, place: Place): void {
  for (const name of [MASK, `${MASK}-ipv4`, `${MASK}-ipv6`]) {
    const value = args.get(name);
    const most = name.endsWith("6") ? 128 : 32;
    if (value !== undefined && !(/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= most))
      place.fault(`has ${name} "${value}", which is not a prefix length; use a number from 1 to ${most}`);
  }
  if (isDualStack && args.has(MASK))
    place.fault(`has ${MASK}, which is not for a dual stack; use ${MASK}-ipv4 and ${MASK}-ipv6`);
  if (!isDualStack && args.has(`${MASK}-ipv6`))
    place.fault(`has ${MASK}-ipv6, and the cluster has no IPv6; remove it`);
  if (!isDualStack && args.has(MASK) && args.has(`${MASK}-ipv4`))
    place.fault(`has both ${MASK} and ${MASK}-ipv4; remove ${MASK}`);
}

/**
 * Records a pod CIDR that kubeadm or kube-controller-manager rejects, or that is too small for the nodes.
 * @param nodes maximum number of nodes, with its description
 */
export function checkPodBlock(
  block: Cidr,
  { args, nodes, place }: { args: Arguments; nodes: { count: number; text: string }; place: Place },
): void {
  if (args.get("allocate-node-cidrs") === "false") return;
  const ofNode = nodePrefix(block.version, args);
  // kubeadm does not read the argument without a family, and compares with its default
  const ofKubeadm = Number(args.get(`${MASK}-ipv${block.version}`) ?? NODE_PREFIXES[block.version]);
  const [shortest, longest] = [Math.max(ofNode, ofKubeadm) - MOST_BITS_OF_NODES, Math.min(ofNode, ofKubeadm)];
  // an argument that is no prefix length is recorded by checkNodeMasks
  if (Number.isNaN(shortest)) return;
  const prefix = prefixLength(block);
  const room = blocksIn(block, ofNode);
  if (prefix < shortest || prefix > longest)
    place.fault(
      `${block.text} has a size that kubeadm does not accept; use /${Math.max(shortest, 1)} to /${longest}`,
    );
  else if (room < nodes.count)
    place.fault(`${block.text} has a /${ofNode} for at most ${room} of ${nodes.text}; use a larger block`);
}

/** Records a Service CIDR that kubeadm refuses. */
export function checkServiceBlock(block: Cidr, place: Place): void {
  const [shortest, longest] = SERVICE_PREFIXES[block.version];
  const prefix = prefixLength(block);
  if (prefix < shortest || prefix > longest)
    place.fault(`${block.text} has a size that kubeadm does not accept; use /${shortest} to /${longest}`);
}

/**
 * The warning if a node may run more pods than its pod CIDR has IPv4 addresses.
 * @param maxPods of the kubelets
 */
export function maxPodsWarning(maxPods: number, args: Arguments): string | undefined {
  const prefix = nodePrefix(4, args);
  const room = 2 ** (32 - prefix) - ADDRESSES_OF_NO_POD;
  if (!(maxPods > room) || args.get("allocate-node-cidrs") === "false") return undefined;
  return (
    `${maxPods} pods are more than the ${room} addresses of a node's /${prefix}: further pods do not start, ` +
    "unless the CNI gets addresses from elsewhere, as Calico and Cilium can"
  );
}
