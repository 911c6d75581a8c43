import { hardeningProblem } from "../../kube/cis";
import { saidTwice, securityConfig } from "../../kube/control-plane";
import { at, items, text } from "../../kube/object";
import type { ClusterInstallation, Rotate } from "../../settings/model";
import type { ClusterPlan } from "./model";

interface SecurityContext {
  readonly instance: string;
  /** Of the installation. */
  readonly path: string;
  readonly rotate?: Rotate | undefined;
}

/** What protects a cluster of kubeadm from those who use it. Appends what is wrong to `faults`. */
export function planSecurity(
  params: ClusterInstallation,
  { instance, path, rotate }: SecurityContext,
  faults: string[],
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
  if (problem !== undefined) faults.push(`${path}.hardening: ${problem}`);
  faults.push(...saidTwice(settings, `${path}.kubeadm.cluster_configuration.apiServer.extraArgs`));
  if (rotate?.encryption_key !== undefined && (keys !== undefined || hardening === undefined))
    faults.push(
      `vnfm:vnfs.${instance}.rotate.encryption_key: is for a key that the program makes, which it does with hardening where ` +
        "apiServer.encryptionKeys are none; leave it out, or change that list in its place",
    );
  return {
    security: securityConfig(settings),
    encryption: settings.isEncrypted ? { keys } : undefined,
  };
}
