import type { Place } from "../../findings";
import { hardeningProblem } from "../../kube/cis";
import { checkSaidTwice, securityConfig } from "../../kube/control-plane";
import { at, items, text } from "../../kube/object";
import type { ClusterInstallation, Rotate } from "../../settings/model";
import type { ClusterPlan } from "./model";

interface SecurityContext {
  readonly instance: string;
  /** Of the installation. */
  readonly place: Place;
  readonly rotate?: Rotate | undefined;
}

/** What protects a cluster of kubeadm from those who use it. */
export function planSecurity(
  params: ClusterInstallation,
  { instance, place, rotate }: SecurityContext,
): Pick<ClusterPlan, "security" | "encryption"> {
  const { apiServer = {}, hardening, kubeadm, kubernetes_version: version } = params;
  const { encryptionKeys: keys } = apiServer;
  const extraArgs = items(at(kubeadm?.cluster_configuration, "apiServer", "extraArgs"));
  const settings = {
    ...apiServer,
    hardening,
    isEncrypted: keys !== undefined || hardening !== undefined,
    otherArgs: extraArgs.flatMap((arg) => text(at(arg, "name")) ?? []),
  };
  const problem = hardening && hardeningProblem(version, "kubernetes_version");
  if (problem !== undefined) place.get("hardening").fault(problem);
  checkSaidTwice(settings, place.get("kubeadm", "cluster_configuration", "apiServer", "extraArgs"));
  if (rotate?.encryption_key !== undefined && (keys !== undefined || hardening === undefined))
    place.findings
      .instance(instance)
      .get("rotate", "encryption_key")
      .fault(
        "is for a key that the program makes, which it does with hardening where apiServer.encryptionKeys are none; " +
          "leave it out, or change that list in its place",
      );
  return {
    security: securityConfig(settings),
    encryption: settings.isEncrypted ? { keys } : undefined,
  };
}
