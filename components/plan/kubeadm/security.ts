import type { Place } from "../../base/findings";
import { hardeningProblem } from "../../kube/cluster/cis";
import {
  checkDuplicateArguments,
  securityConfig,
  type SecuritySettings,
} from "../../kube/cluster/control-plane";
import { at, items, text } from "../../kube/objects/object";
import type { ClusterInstallation, Rotate } from "../../settings/model";
import type { ClusterPlan } from "./model";

interface SecurityContext {
  readonly instance: string;
  /** The setting k8s_cluster_installation_param. */
  readonly place: Place;
  readonly rotate?: Rotate | undefined;
}

/** The settings of a cluster that determine its security configuration. */
export function securitySettings({
  apiServer = {},
  hardening,
  kubeadm,
}: Pick<ClusterInstallation, "apiServer" | "hardening" | "kubeadm">): SecuritySettings {
  const extraArgs = items(at(kubeadm?.cluster_configuration, "apiServer", "extraArgs"));
  return {
    ...apiServer,
    hardening,
    isEncrypted: apiServer.encryptionKeys !== undefined || hardening !== undefined,
    otherArgs: extraArgs.flatMap((arg) => text(at(arg, "name")) ?? []),
  };
}

/** Plans the security configuration of a kubeadm cluster. */
export function planSecurity(
  params: ClusterInstallation,
  { instance, place, rotate }: SecurityContext,
): Pick<ClusterPlan, "security" | "encryption"> {
  const { apiServer, hardening, kubernetes_version: version } = params;
  const keys = apiServer?.encryptionKeys;
  const settings = securitySettings(params);
  const problem = hardening && hardeningProblem(version, "kubernetes_version");
  if (problem !== undefined) place.get("hardening").fault(problem);
  checkDuplicateArguments(settings, place.get("kubeadm", "cluster_configuration", "apiServer", "extraArgs"));
  if (rotate?.encryption_key !== undefined && (keys !== undefined || hardening === undefined))
    place.findings
      .instance(instance)
      .get("rotate", "encryption_key")
      .fault(
        "is for a key that vnfm generates, which it does with hardening if apiServer.encryptionKeys is not set; " +
          "remove it, or change that list instead",
      );
  return {
    security: securityConfig(settings),
    encryption: settings.isEncrypted ? { keys } : undefined,
  };
}
