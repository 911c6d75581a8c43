import * as pulumi from "@pulumi/pulumi";
import {
  KUBELET_MINORS_BEHIND,
  MINORS_AT_A_TIME,
  OLDEST_UPGRADE_MINOR,
} from "../../kube/cluster/version-skew";
import type { Reach } from "../../remote/reaching";
import { phaseStep } from "./phase-step";

export interface KubernetesVersionArgs {
  /** Version such as `v1.34.4`. */
  readonly version: string;
  readonly reach: pulumi.Output<Reach>;
  readonly target: pulumi.Input<string>;
  readonly soleMaster: boolean;
}

const versionData = ({ version, soleMaster }: Pick<KubernetesVersionArgs, "version" | "soleMaster">) => ({
  kubernetes_version: version,
  sole_master: soleMaster ? "yes" : "",
});

/**
 * Sets the version with which nodes join from now on. Fails if existing masters or workers are too old or too new for
 * it.
 */
export function declareVersion(
  name: string,
  { reach, target, ...args }: KubernetesVersionArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  return phaseStep(
    name,
    "version",
    {
      reach,
      target,
      data: {
        step: "declare",
        ...versionData(args),
        oldest_upgrade_minor: String(OLDEST_UPGRADE_MINOR),
        minors_at_a_time: String(MINORS_AT_A_TIME),
        kubelet_minors_behind: String(KUBELET_MINORS_BEHIND),
      },
    },
    opts,
  );
}

/**
 * Upgrades kube-proxy, CoreDNS and kubeadm's roles to the version, once the last master has it. Depends on all masters.
 */
export function upgradeAddons(
  name: string,
  args: KubernetesVersionArgs & { readonly masterIds: readonly pulumi.Output<string>[] },
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  const { reach, target } = args;
  return phaseStep(
    name,
    "addons",
    {
      reach,
      target,
      data: {
        step: "conclude",
        ...versionData(args),
        // each new master has the script run again
        masters: pulumi.all([...args.masterIds]).apply((ids) => ids.join(" ")),
      },
    },
    opts,
  );
}
