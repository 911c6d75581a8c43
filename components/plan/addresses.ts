import { overlap, parseCidr, type Cidr } from "../cidr";
import type { ClusterInstallation } from "../settings/model";
import type { PlannedNetwork } from "./model";

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
  const blocks: [string, Cidr][] = [];
  const add = (name: string, text: string | undefined): Cidr | undefined => {
    const cidr = text === undefined ? undefined : parseCidr(text);
    if (cidr !== undefined) blocks.push([name, cidr]);
    return cidr;
  };
  const master = `${path}.master_node`;
  const pods = add(`${master}.pod_cidr`, params.master_node.pod_cidr);
  const services = add(`${master}.cluster_cidr`, params.master_node.cluster_cidr);
  add(`${path}.proxy.k8s_node_cidr`, params.proxy?.k8s_node_cidr);
  for (const network of networks) add(`virtual link ${network.virtualLink} of the VNFD`, network.cidr);
  blocks.forEach(([name, block], i) => {
    for (const [otherName, other] of blocks.slice(i + 1)) {
      // a subnet of the VNFD is where k8s_node_cidr's nodes are
      const bothOfNodes = !name.includes("master_node") && !otherName.includes("master_node");
      if (!bothOfNodes && overlap(block, other)) {
        faults.push(`${name}: ${block.text} overlaps ${other.text} of ${otherName}`);
      }
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
