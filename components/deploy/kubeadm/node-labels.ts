import * as pulumi from "@pulumi/pulumi";
import type { ControlPlane } from "./control-plane";
import { labelData, poolLabels } from "../../render/node-data";
import type { PreparedNode } from "./prepared-node";
import { phaseStep } from "./phase-step";

export interface NodeLabelsArgs {
  readonly node: PreparedNode;
  readonly controlPlane: ControlPlane;
  /** True for the Node of a single control plane, which has no `Member`, so that its state is checked here. */
  readonly soleMaster: boolean;
}

/**
 * Sets the Node's `topology.kubernetes.io/zone`, and the labels and taints of its pool. A master sets them, because a
 * kubelet sets labels only when it registers, and the Node of a healed single control plane exists already. Depends on
 * the resource that creates the Node.
 */
export function nodeLabels(
  name: string,
  { node, controlPlane, soleMaster }: NodeLabelsArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  return phaseStep(
    name,
    "labels",
    {
      reach: controlPlane.reach,
      target: node.serverId,
      data: pulumi
        .output({ zone: node.zone, config: soleMaster ? controlPlane.config : "" })
        .apply((known) => labelData(node.nodeName, node.pool, known)),
      shown: poolLabels(node.pool),
    },
    opts,
  );
}
