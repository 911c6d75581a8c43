import * as pulumi from "@pulumi/pulumi";
import { firstEnds, parseCertificateEnds, type CertificateEnds } from "../../kube/cluster/certificate-ends";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { withoutStackTrace } from "../run-error";
import type { PreparedNode } from "./prepared-node";
import { phaseStep } from "./phase-step";

export interface CertificatesArgs {
  readonly cluster: ClusterPlan;
  readonly masters: readonly PreparedNode[];
  /** Resources that use the API and are created first, because the API of a single control plane restarts. */
  readonly formed: readonly pulumi.Resource[];
}

export interface Certificates {
  /** Exists once all masters use new certificates. Undefined: no rotation is requested. */
  readonly renewed: pulumi.Resource | undefined;
  readonly ends: pulumi.Output<CertificateEnds>;
}

/**
 * Reads the expiry of kubeadm's certificates on each master. A rotation renews them before, on one master after the
 * other; the CAs stay.
 */
export function certificates(
  instance: string,
  { cluster, masters, formed }: CertificatesArgs,
  opts: pulumi.CustomResourceOptions,
): Certificates {
  const { certificates: rotation } = cluster.rotation;
  const steps: ReturnType<typeof phaseStep>[] = [];
  for (const { key, reach, serverId, nodeName } of masters) {
    const before = rotation === undefined ? [] : steps.slice(-1);
    const step = phaseStep(
      `${instance}-${key}`,
      "certificates",
      {
        reach,
        target: serverId,
        data: { node_name: nodeName, rotation: rotation ?? "" },
      },
      { ...opts, dependsOn: [...formed, ...before] },
    );
    steps.push(step);
  }
  const ends = pulumi
    .all(steps.map(({ stdout }) => stdout))
    .apply((printed) => withoutStackTrace(() => firstEnds(printed.map(parseCertificateEnds))));
  return { renewed: rotation === undefined ? undefined : steps.at(-1), ends: pulumi.unsecret(ends) };
}
