import type * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { scriptStep } from "../../remote/script-step";
import type { PreparedNode } from "./prepared-node";

export interface CertificatesArgs {
  readonly cluster: ClusterPlan;
  readonly masters: readonly PreparedNode[];
  /** What uses the API, which is away for a moment on a sole master: it comes before. */
  readonly formed: readonly pulumi.Resource[];
}

/**
 * Renews kubeadm's certificates on one master after the other, where a rotation asks for it. The CAs stay.
 *
 * @returns what is there once all masters use the new ones; undefined where no rotation asks for it
 */
export function renewCertificates(
  instance: string,
  { cluster, masters, formed }: CertificatesArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource | undefined {
  const { certificates: rotation } = cluster.rotation;
  if (rotation === undefined) return undefined;
  return masters.reduce<pulumi.Resource | undefined>((before, { key, reach, serverId, nodeName }) => {
    const data = { node_name: nodeName, rotation };
    return scriptStep(
      `${instance}-${key}-certificates`,
      { reach, script: "certificates.sh", target: serverId, data },
      { ...opts, dependsOn: before === undefined ? [...formed] : [...formed, before] },
    );
  }, undefined);
}
