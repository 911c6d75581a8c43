import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { joinData, membershipData } from "../../render/node-data";
import type { ControlPlane } from "./control-plane";
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
 * A node's membership of its cluster. When the server is deleted or replaced, this drains the node on a living master,
 * removes it from etcd and deletes the Node object first. In between a master hands over its services. This is in the
 * state before the node joins, so that a node which joined and was never Ready leaves as any other does.
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
    const certificateKey =
      node.role === "master"
        ? controlPlane.access.apply((access) => access.certificateKey)
        : pulumi.output("");
    const config = node.role === "master" ? controlPlane.config : "";
    const membership = phaseStep(
      name,
      "member",
      {
        ...onMaster,
        data: node.address.apply((address) =>
          membershipData(cluster, { name: node.nodeName, role: node.role, address }),
        ),
        create: false,
        undo: true,
        ...(node.role === "master" && { handover: leaving(node.serverReach).reach }),
      },
      // if the whole cluster is deleted, its nodes are not drained
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
        admission: controlPlane.reach,
        data: pulumi
          .output({
            ...{ address: node.address, nodeIpv6: node.ipv6, providerId: node.providerId },
            ...{ apiAddress: controlPlane.apiAddress, access: controlPlane.access },
            ...{ certificateKey, config },
          })
          .apply(({ address, ...to }) =>
            joinData(
              cluster,
              { name: node.nodeName, role: node.role, address, taints: node.pool.taints },
              to,
            ),
          ),
      },
      {
        ...child,
        dependsOn: [
          ...controlPlane.beforeJoin,
          membership,
          ...(joinsAfter === undefined ? [] : [joinsAfter.#joined]),
        ],
      },
    );
    const ready = phaseStep(
      name,
      "ready",
      {
        ...onMaster,
        data: { node_name: node.nodeName },
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
