import type * as pulumi from "@pulumi/pulumi";
import type { ControlPlane } from "./control-plane";
import type { PreparedNode } from "./prepared-node";
import { phaseStep } from "./phase-step";

export interface NodePodCidrArgs {
  readonly node: PreparedNode;
  readonly controlPlane: ControlPlane;
  /** The resource that creates the Node. @default the control plane, for its first node */
  readonly joined?: pulumi.Resource;
}

/**
 * Sets the pod CIDR of a Node to the block of its route in Neutron. A master sets it, before the controller manager
 * assigns the next free block. @returns nothing if the CNI forwards packets to pods itself
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
