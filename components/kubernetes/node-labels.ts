import * as pulumi from "@pulumi/pulumi";
import { remoteScript } from "../remote/remote-script";
import type { ControlPlane } from "./control-plane";
import type { PreparedNode } from "./prepared-node";

/**
 * The Node's `topology.kubernetes.io/zone`. A master sets it: the kubelet would at its start alone, and the Node of a
 * sole master that was healed is the old one. Depends on what makes the Node.
 */
export function nodeLabels(
  name: string,
  { node, controlPlane }: { readonly node: PreparedNode; readonly controlPlane: ControlPlane },
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  return remoteScript(
    `${name}-labels`,
    {
      connection: controlPlane.connection,
      script: "node-labels.sh",
      target: node.serverId,
      data: { node_name: node.nodeName, node_zone: node.zone.apply(labelValue) },
    },
    opts,
  );
}

/** A name of Nova's as the value of a label: at most 63 of A-Z a-z 0-9 - _ . that begin and end with A-Z a-z 0-9. */
export function labelValue(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 63)
    .replace(/[._-]+$/, "");
}
