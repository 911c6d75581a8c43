import * as pulumi from "@pulumi/pulumi";
import type { ControlPlane } from "./control-plane";
import { labelValue } from "../../kube/cluster/label-value";
import { writeNodeLabels, writeTaints } from "../../kube/cluster/node-labels";
import type { PreparedNode } from "./prepared-node";
import { phaseStep } from "./phase-step";

export interface NodeLabelsArgs {
  readonly node: PreparedNode;
  readonly controlPlane: ControlPlane;
  /** True if the Node is that of a sole master, which is no `Member`: it is looked at here. */
  readonly soleMaster: boolean;
}

/**
 * The Node's `topology.kubernetes.io/zone`, and the labels and taints of its pool. A master sets them: the kubelet would at
 * its start alone, and the Node of a sole master that was healed is the old one. Depends on what makes the Node.
 */
export function nodeLabels(
  name: string,
  { node, controlPlane, soleMaster }: NodeLabelsArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  const ofPool = {
    node_labels: writeNodeLabels(node.pool.labels ?? {}),
    node_taints: writeTaints(node.pool.taints ?? []),
  };
  return phaseStep(
    name,
    "labels",
    {
      reach: controlPlane.reach,
      target: node.serverId,
      data: {
        node_name: node.nodeName,
        node_zone: node.zone.apply(labelValue),
        ...ofPool,
        kubeadm_config: soleMaster ? controlPlane.config : "",
      },
      shown: ofPool,
    },
    opts,
  );
}
