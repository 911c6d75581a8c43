import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { joinData, membershipData } from "../../render/node-data";
import type { ControlPlane } from "./control-plane";
import { nodeLabels } from "./node-labels";
import { nodePodCidr } from "./node-pod-cidr";
import type { PreparedNode } from "./prepared-node";
import { leaving } from "./ssh";
import { phaseStep } from "./phase-step";

export interface JoinClusterArgs {
  readonly cluster: ClusterPlan;
  readonly node: PreparedNode;
  readonly controlPlane: ControlPlane;
  /** The master that joins before this one: etcd takes one new member at a time. @default none */
  readonly joinsAfter?: Member | undefined;
}

/** A node's membership of its cluster. */
export interface Member {
  /** Exists once the node has joined; it may not be Ready yet. */
  readonly joined: pulumi.Resource;
  /** All of its resources: they exist once the node is Ready, with its labels. */
  readonly resources: readonly pulumi.Resource[];
}

/**
 * Makes a node a member of its cluster. Before its server is deleted or replaced, a living master drains the node,
 * removes it from etcd and deletes the Node object; a leaving master then hands over its services. The membership is in
 * the state before the node joins, so that even a node that never became Ready leaves in this order.
 */
export function joinCluster(
  name: string,
  { cluster, node, controlPlane, joinsAfter }: JoinClusterArgs,
  child: pulumi.CustomResourceOptions,
): Member {
  const { role, nodeName, serverId, address, podRoute } = node;
  const onMaster = { reach: controlPlane.reach, target: serverId };
  const membership = phaseStep(
    name,
    "member",
    {
      ...onMaster,
      data: address.apply((own) => membershipData(cluster, { name: nodeName, role, address: own })),
      create: false,
      undo: true,
      ...(role === "master" && { handover: leaving(node.serverReach).reach }),
    },
    // if the whole cluster is deleted, its nodes are not drained
    {
      ...child,
      deletedWith: controlPlane.origin,
      dependsOn: podRoute === undefined ? [] : [podRoute],
    },
  );
  const joined = phaseStep(
    name,
    "join",
    {
      reach: node.reach,
      target: serverId,
      admission: controlPlane.reach,
      data: joinDataOf(cluster, node, controlPlane),
    },
    {
      ...child,
      dependsOn: [
        ...controlPlane.beforeJoin,
        membership,
        ...(joinsAfter === undefined ? [] : [joinsAfter.joined]),
      ],
    },
  );
  const afterJoin = { ...child, dependsOn: [joined] };
  const ready = phaseStep(name, "ready", { ...onMaster, data: { node_name: nodeName } }, afterJoin);
  const labels = nodeLabels(name, { node, controlPlane, soleMaster: false }, afterJoin);
  const podCidr = nodePodCidr(name, { node, controlPlane, joined }, child);
  return { joined, resources: [membership, joined, ready, labels, ...podCidr] };
}

function joinDataOf(
  cluster: ClusterPlan,
  { role, nodeName, pool, address, ipv6, providerId }: PreparedNode,
  { apiAddress, access, config }: ControlPlane,
): pulumi.Output<ReturnType<typeof joinData>> {
  const isMaster = role === "master";
  const certificateKey = isMaster ? access.apply((known) => known.certificateKey) : "";
  return pulumi
    .output({
      ...{ address, nodeIpv6: ipv6, providerId, apiAddress, access },
      ...{ certificateKey, config: isMaster ? config : "" },
    })
    .apply(({ address: own, ...to }) =>
      joinData(cluster, { name: nodeName, role, address: own, taints: pool.taints }, to),
    );
}
