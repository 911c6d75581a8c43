import type * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../plan/model";
import { remoteScript } from "../remote/remote-script";
import type { PreparedNode } from "./prepared-node";

/**
 * Renews kubeadm's certificates on one master after the other, where a rotation asks for it. The CAs stay.
 *
 * @param opts depend on what uses the API, which is away for a moment on a sole master
 * @returns what is there once all masters use the new ones; undefined where no rotation asks for it
 */
export function renewCertificates(
  instance: string,
  { cluster, masters }: { readonly cluster: ClusterPlan; readonly masters: readonly PreparedNode[] },
  opts: pulumi.CustomResourceOptions & { readonly dependsOn: readonly pulumi.Resource[] },
): pulumi.Resource | undefined {
  const { certificates: rotation } = cluster.rotation;
  if (rotation === undefined) return undefined;
  return masters.reduce<pulumi.Resource | undefined>(
    (before, { key, connection, serverId, nodeName }) =>
      remoteScript(
        `${instance}-${key}-certificates`,
        {
          connection,
          script: "certificates.sh",
          target: serverId,
          data: { node_name: nodeName, rotation },
        },
        { ...opts, dependsOn: [...opts.dependsOn, ...(before === undefined ? [] : [before])] },
      ),
    undefined,
  );
}
