/** Shell variables of the scripts by which a node joins its cluster, gets its labels, and leaves. */
import { endpoint } from "../base/net/cidr";
import { labelValue } from "../kube/cluster/label-value";
import { writeNodeLabels, writeTaints } from "../kube/cluster/node-labels";
import { KUBELET_MINORS_BEHIND } from "../kube/cluster/version-skew";
import type { ClusterPlan, NodePool } from "../plan/kubeadm/model";
import { renderKubeconfig, type ClusterAccess } from "./access";
import { renderJoinConfig, type JoinConfig } from "./kubeadm-config";
import type { NodeData } from "./preparation";

/** Data of the cluster for a joining node, known only during the run. */
export interface Joined extends Pick<JoinConfig, "apiAddress" | "nodeIpv6" | "providerId"> {
  readonly access: ClusterAccess;
  /** Key of the control plane's certificates, for a control-plane node; empty for a worker. */
  readonly certificateKey: string;
  /** The configuration with which `kubeadm init` created the cluster, for a control-plane node; empty for a worker. */
  readonly config: string;
}

/** Placeholder for the bootstrap token, which a control-plane node creates only when the node joins. */
const JOIN_TOKEN = "@JOIN_TOKEN@";

/** Shell variables of admit-node.sh, and of join-node.sh except `admission`. */
export function joinData(
  cluster: ClusterPlan,
  { name, address, taints }: NodeData & Pick<JoinConfig, "taints">,
  { access, certificateKey, config, ...to }: Joined,
) {
  const { apiAddress } = to;
  return {
    node_name: name,
    node_address: address,
    join_config: renderJoinConfig(cluster, {
      ...{ nodeName: name, nodeAddress: address, taints, caCertHash: access.caCertHash },
      ...to,
      token: JOIN_TOKEN,
      certificateKey: certificateKey === "" ? undefined : certificateKey,
    }),
    join_kubeconfig: renderKubeconfig(
      cluster.vimName,
      `https://${endpoint(apiAddress, cluster.api.port)}`,
      access,
      JOIN_TOKEN,
    ),
    cluster_config: config,
    kubelet_minors_behind: String(KUBELET_MINORS_BEHIND),
    certificate_key: certificateKey,
  };
}

/** The shell variables of membership.sh. */
export function membershipData(cluster: ClusterPlan, { name, role, address }: NodeData) {
  return { node_name: name, node_address: address, node_role: role, ...draining(cluster) };
}

/** Shell variables with the limits of a drain. */
export function draining({ drain }: ClusterPlan) {
  return {
    drain_seconds: String(drain.timeout_seconds),
    delete_emptydir_data: String(drain.delete_emptydir_data),
  };
}

/** Shell variables of node-labels.sh for the labels and taints of a pool. */
export function poolLabels({ labels = {}, taints = [] }: Pick<NodePool, "labels" | "taints">) {
  return { node_labels: writeNodeLabels(labels), node_taints: writeTaints(taints) };
}

/**
 * Label of the only control-plane node of a control plane that is declared with one and may have more. It is set before
 * others leave: membership.sh then knows that none of them comes back.
 */
const ONLY_CONTROL_PLANE_NODE = "vnfm.io/only-control-plane-node";

/**
 * Shell variables of node-labels.sh.
 * @param config kubeadm's configuration, for a single control plane; else empty
 */
export function labelData(
  name: string,
  { labels = {}, taints = [], role, servers }: Pick<NodePool, "labels" | "taints" | "role" | "servers">,
  { zone, config }: { readonly zone: string; readonly config: string },
) {
  // without a shared address of the API a control plane never has more than one node
  const isOnly = role === "master" && servers.length === 1 && config === "";
  const all = isOnly ? { ...labels, [ONLY_CONTROL_PLANE_NODE]: "yes" } : labels;
  const ofPool = poolLabels({ labels: all, taints });
  return { node_name: name, node_zone: labelValue(zone), ...ofPool, kubeadm_config: config };
}
