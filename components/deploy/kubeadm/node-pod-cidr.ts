import type * as pulumi from "@pulumi/pulumi";
import type { ControlPlane } from "./control-plane";
import type { PreparedNode } from "./prepared-node";
import { phaseStep } from "./phase-step";

export interface NodePodCidrArgs {
  readonly node: PreparedNode;
  readonly controlPlane: ControlPlane;
  /** What makes the Node. @default the control plane, whose beginning it is */
  readonly joined?: pulumi.Resource;
}

/**
 * Gives the Node the block of addresses that a route of Neutron leads to, for its pods. A master does, as the controller
 * manager would give it the next block that is free. @returns nothing where the CNI brings packets to pods itself
 */
export function nodePodCidr(
  name: string,
  { node, controlPlane, joined }: NodePodCidrArgs,
  child: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { nodeName, podRoute, serverId } = node;
  if (podRoute === undefined) return [];
  const step = phaseStep(
    name,
    "pod-cidr",
    {
      reach: controlPlane.reach,
      target: serverId,
      data: { node_name: nodeName, pod_cidr: podRoute.destinationCidr },
    },
    { ...child, dependsOn: joined === undefined ? [podRoute] : [podRoute, joined] },
  );
  return [step];
}
