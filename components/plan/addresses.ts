import { overlap, parseAddress, parseCidr, type Cidr } from "../cidr";
import type { ClusterInstallation } from "../settings/model";
import type { ClusterPlan, PlannedNetwork } from "./model";

interface Block {
  /** Where it is set, for faults. */
  readonly name: string;
  readonly cidr: Cidr;
  /** Whether nodes have its addresses. */
  readonly ofNodes: boolean;
}

interface Surroundings {
  /** Of k8s_cluster_installation_param in the stack config, for faults. */
  readonly path: string;
  readonly networks: readonly PlannedNetwork[];
  /** How many nodes the cluster has. */
  readonly nodes: number;
}

/**
 * Pods, Services and nodes must not share an address, and their blocks must be of sizes that kubeadm takes:
 * it would find out when the servers are there.
 */
export function checkAddresses(
  params: ClusterInstallation,
  { path, networks, nodes }: Surroundings,
  faults: string[],
): void {
  const blocks: Block[] = [];
  const add = (name: string, text: string | undefined, ofNodes: boolean): Cidr | undefined => {
    const cidr = text === undefined ? undefined : parseCidr(text);
    if (cidr !== undefined) blocks.push({ name, cidr, ofNodes });
    return cidr;
  };
  const master = `${path}.master_node`;
  const pods = add(`${master}.pod_cidr`, params.master_node.pod_cidr, false);
  const services = add(`${master}.cluster_cidr`, params.master_node.cluster_cidr, false);
  add(`${path}.proxy.k8s_node_cidr`, params.proxy?.k8s_node_cidr, true);
  for (const network of networks) add(`virtual link ${network.virtualLink} of the VNFD`, network.cidr, true);
  blocks.forEach((block, i) => {
    for (const other of blocks.slice(i + 1)) {
      // a subnet of the VNFD is where k8s_node_cidr's nodes are
      if ((block.ofNodes && other.ofNodes) || !overlap(block.cidr, other.cidr)) continue;
      faults.push(`${block.name}: ${block.cidr.text} overlaps ${other.cidr.text} of ${other.name}`);
    }
  });
  if (pods !== undefined && services !== undefined && pods.version !== services.version) {
    faults.push(
      `${master}.cluster_cidr: ${services.text} is IPv${services.version} and pod_cidr is IPv${pods.version}; they must be of one version`,
    );
  }
  const ownMask = JSON.stringify(params.kubeadm?.cluster_configuration ?? {}).includes("node-cidr-mask-size");
  if (pods !== undefined && !ownMask) checkPods(pods, nodes, `${master}.pod_cidr`, faults);
  if (services !== undefined) checkServices(services, `${master}.cluster_cidr`, faults);
}

/**
 * What is wrong with an address that Neutron gave to a node, or to the API; undefined where nothing is. The plan
 * does not know the blocks of external networks.
 */
export function addressFault(
  whose: string,
  text: string,
  { podCidr, serviceCidr }: Pick<ClusterPlan, "podCidr" | "serviceCidr">,
): string | undefined {
  const address = parseAddress(text);
  if (address?.version === 6) {
    return (
      `${whose} has the address ${text}: networks of nodes are IPv4; name an IPv4 subnet of the network under ` +
      "extVirtualLinks, or give the VNFD's virtual link an IPv4 cidr"
    );
  }
  const taken = Object.entries({ pod_cidr: podCidr, cluster_cidr: serviceCidr }).find(([, text]) => {
    const block = parseCidr(text);
    return address !== undefined && block !== undefined && overlap(block, address);
  });
  return (
    taken &&
    `${whose} has the address ${text}, which is in ${taken[1]} of master_node.${taken[0]}: ` +
      `give ${taken[0]} a block that shares no address with the networks of the nodes; of a cluster that has ` +
      "begun it is fixed, so terminate it first"
  );
}

/** The controller manager cuts a block for each node out of the pods' block (node-cidr-mask-size). */
function checkPods(block: Cidr, nodes: number, setting: string, faults: string[]): void {
  const nodeMask = block.version === 4 ? 24 : 64;
  const [shortest, prefix] = [nodeMask - 16, prefixLength(block)];
  if (prefix < shortest || prefix > nodeMask) {
    faults.push(`${setting}: ${block.text} has no size that kubeadm takes; use /${shortest} to /${nodeMask}`);
  } else if (2 ** (nodeMask - prefix) < nodes) {
    faults.push(
      `${setting}: ${block.text} has a /${nodeMask} for at most ${2 ** (nodeMask - prefix)} of the ${nodes} nodes; use a larger block`,
    );
  }
}

/** kubeadm wants ten addresses at least, and 20 bits at most. */
function checkServices(block: Cidr, setting: string, faults: string[]): void {
  const bits = block.version === 4 ? 32 : 128;
  const prefix = prefixLength(block);
  if (prefix < bits - 20 || prefix > bits - 4) {
    faults.push(
      `${setting}: ${block.text} has no size that kubeadm takes; use /${bits - 20} to /${bits - 4}`,
    );
  }
}

function prefixLength({ text }: Cidr): number {
  return Number(text.slice(text.indexOf("/") + 1));
}
