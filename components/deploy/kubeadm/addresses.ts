import type * as pulumi from "@pulumi/pulumi";
import { Fault } from "../../base/fault";
import { own } from "../../base/own";
import { addressFault } from "../../plan/kubeadm/addresses";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { Node } from "../openstack/node";
import { withoutStackTrace } from "../run-error";

/** CIDRs that must not contain addresses of a cluster's nodes. */
export type AddressBlocks = Pick<ClusterPlan, "podCidr" | "serviceCidr">;

/**
 * Address of a node at one of its connection points; the plan has checked that the node has it.
 * @throws RunError, in the output, for an address that a node of the cluster cannot have
 */
export function addressAt(
  node: Node,
  connectionPoint: string,
  cluster: AddressBlocks,
): pulumi.Output<string> {
  const address = own(node.addresses, connectionPoint);
  if (address === undefined)
    throw new Error(`the plan gives no port for connection point ${connectionPoint}`);
  return usable(address, `${connectionPoint} of ${node.name}`, cluster);
}

/** @throws RunError, in the output, for an address that a cluster's node or its API cannot have */
export function usable(
  address: pulumi.Output<string>,
  owner: string,
  cluster: AddressBlocks,
): pulumi.Output<string> {
  return address.apply((text) =>
    withoutStackTrace(() => {
      const fault = addressFault(owner, text, cluster);
      if (fault !== undefined) throw new Fault(fault);
      return text;
    }),
  );
}
