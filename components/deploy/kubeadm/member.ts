import * as pulumi from "@pulumi/pulumi";
import { endpoint } from "../../base/net/cidr";
import { KUBELET_MINORS_BEHIND } from "../../kube/cluster/version-skew";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { renderKubeconfig } from "../../render/access";
import type { ControlPlane } from "./control-plane";
import { renderJoinConfig } from "../../render/kubeadm-config";
import { nodeLabels } from "./node-labels";
import { nodePodCidr } from "./node-pod-cidr";
import type { PreparedNode } from "./prepared-node";
import { leaving } from "./ssh";
import { MEMBER } from "../steps";
import { phaseStep } from "./phase-step";

export interface MemberArgs {
  readonly cluster: ClusterPlan;
  readonly node: PreparedNode;
  readonly controlPlane: ControlPlane;
  /** The master that joins before this one: etcd takes one new member at a time. @default none */
  readonly joinsAfter?: Member | undefined;
}

/**
 * A node's membership of its cluster. Its end is here too: when the server goes or is replaced, a master that is
 * alive drains the node, takes it out of etcd and removes the Node object first. In between a master hands over what it
 * serves. That is in the state before the node joins, so a node which joined and was never Ready leaves as any other does.
 */
export class Member extends pulumi.ComponentResource {
  /** Name of the Node; known once it is Ready. */
  readonly ready: pulumi.Output<string>;
  readonly #joined: pulumi.Resource;

  constructor(name: string, args: MemberArgs, opts?: pulumi.ComponentResourceOptions) {
    super(MEMBER, name, {}, opts);
    const { cluster, node, controlPlane, joinsAfter } = args;
    const child = { parent: this };
    const onMaster = { reach: controlPlane.reach, target: node.serverId };
    // a worker's token does not wait for it
    const certificateKey =
      node.role === "master"
        ? controlPlane.access.apply((access) => access.certificateKey)
        : pulumi.output("");
    const config = node.role === "master" ? controlPlane.config : "";
    const token = phaseStep(
      name,
      "join-token",
      {
        ...onMaster,
        data: { node_name: node.nodeName, certificate_key: certificateKey, kubeadm_config: config },
      },
      { ...child, dependsOn: [...controlPlane.beforeJoin] },
    ).stdout.apply((text) => text.trim());
    const encryption =
      node.role === "master" && cluster.encryption !== undefined
        ? phaseStep(name, "encryption", { ...onMaster, data: {} }, child).stdout.apply((text) =>
            text.trimEnd(),
          )
        : "";
    const membership = phaseStep(
      name,
      "member",
      {
        ...onMaster,
        data: {
          node_name: node.nodeName,
          node_address: node.address,
          node_role: node.role,
          ...draining(cluster),
        },
        create: false,
        undo: true,
        ...(node.role === "master" && { handover: leaving(node.serverReach).reach }),
      },
      // a cluster that goes as a whole is not drained node by node
      {
        ...child,
        deletedWith: controlPlane.origin,
        dependsOn: node.podRoute === undefined ? [] : [node.podRoute],
      },
    );
    const joined = phaseStep(
      name,
      "join",
      {
        reach: node.reach,
        target: node.serverId,
        data: {
          node_name: node.nodeName,
          node_address: node.address,
          join_config: pulumi
            .all([
              ...([node.address, node.ipv6, node.providerId, controlPlane.apiAddress, token] as const),
              ...([controlPlane.access, certificateKey] as const),
            ])
            .apply(([nodeAddress, nodeIpv6, providerId, apiAddress, joinToken, { caCertHash }, key]) =>
              renderJoinConfig(cluster, {
                nodeName: node.nodeName,
                ...{ nodeAddress, nodeIpv6 },
                taints: node.pool.taints,
                providerId,
                apiAddress,
                token: joinToken,
                caCertHash,
                certificateKey: key === "" ? undefined : key,
              }),
            ),
          join_kubeconfig: pulumi
            .all([controlPlane.apiAddress, token, controlPlane.access])
            .apply(([address, bearerToken, access]) =>
              renderKubeconfig(
                cluster.vimName,
                `https://${endpoint(address, cluster.api.port)}`,
                access,
                bearerToken,
              ),
            ),
          cluster_config: config,
          kubelet_minors_behind: String(KUBELET_MINORS_BEHIND),
          certificate_key: certificateKey,
          encryption_config: encryption,
        },
      },
      { ...child, dependsOn: [membership, ...(joinsAfter === undefined ? [] : [joinsAfter.#joined])] },
    );
    const ready = phaseStep(
      name,
      "ready",
      {
        ...onMaster,
        data: { node_name: node.nodeName, join_token: token },
      },
      { ...child, dependsOn: [joined] },
    );
    nodeLabels(name, { node, controlPlane, soleMaster: false }, { ...child, dependsOn: [joined] });
    nodePodCidr(name, { node, controlPlane, joined }, child);
    this.ready = ready.id.apply(() => node.nodeName);
    this.#joined = joined;
    this.registerOutputs({ ready: this.ready });
  }
}

/** What the scripts that drain a node know of how. */
export function draining({ drain }: ClusterPlan) {
  return {
    drain_seconds: String(drain.timeout_seconds),
    delete_emptydir_data: String(drain.delete_emptydir_data),
  };
}
