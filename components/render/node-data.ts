/** The shell variables of the scripts by which a node joins its cluster, is labelled, and leaves. */
import { endpoint } from "../base/net/cidr";
import { labelValue } from "../kube/cluster/label-value";
import { writeNodeLabels, writeTaints } from "../kube/cluster/node-labels";
import { KUBELET_MINORS_BEHIND } from "../kube/cluster/version-skew";
import type { ClusterPlan, NodePool } from "../plan/kubeadm/model";
import { renderKubeconfig, type ClusterAccess } from "./access";
import { renderJoinConfig, type JoinConfig } from "./kubeadm-config";
import type { NodeData } from "./preparation";

/** Facts about the cluster that a node needs to join it, known only during the run. */
export interface Joined extends Pick<JoinConfig, "apiAddress" | "nodeIpv6" | "providerId"> {
  readonly access: ClusterAccess;
  /** Key of the control plane's certificates, for a master; empty for a worker. */
  readonly certificateKey: string;
  /** kubeadm's configuration that the cluster was made with, for a master; empty for a worker. */
  readonly config: string;
}

/** Stands for the bootstrap token, which a master creates as late as the node joins. */
const JOIN_TOKEN = "@JOIN_TOKEN@";

/** The shell variables of join-node.sh but for `admission`, and those of admit-node.sh. */
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

/** Limits of a drain, in the shell variables of the scripts that drain a node. */
export function draining({ drain }: ClusterPlan) {
  return {
    drain_seconds: String(drain.timeout_seconds),
    delete_emptydir_data: String(drain.delete_emptydir_data),
  };
}

/** Labels and taints of a pool, in the shell variables of node-labels.sh. */
export function poolLabels({ labels = {}, taints = [] }: Pick<NodePool, "labels" | "taints">) {
  return { node_labels: writeNodeLabels(labels), node_taints: writeTaints(taints) };
}

/** The shell variables of node-labels.sh. @param config kubeadm's, of a sole master; else empty */
export function labelData(
  name: string,
  pool: Pick<NodePool, "labels" | "taints">,
  { zone, config }: { readonly zone: string; readonly config: string },
) {
  return { node_name: name, node_zone: labelValue(zone), ...poolLabels(pool), kubeadm_config: config };
}
