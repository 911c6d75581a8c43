import * as pulumi from "@pulumi/pulumi";
import {
  KUBELET_MINORS_BEHIND,
  MINORS_AT_A_TIME,
  OLDEST_UPGRADE_MINOR,
} from "../../kube/cluster/version-skew";
import type { Reach } from "../../remote/reaching";
import { phaseStep } from "./phase-step";

export interface KubernetesVersionArgs {
  /** `v1.34.4` */
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
 * The version that nodes join with from now on. Refused where the masters or workers that are there are too old
 * or too new for it.
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

/** kube-proxy, CoreDNS and kubeadm's roles of the version, once the last master is of it. Depends on all masters. */
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
        // with each new master the script runs again
        masters: pulumi.all([...args.masterIds]).apply((ids) => ids.join(" ")),
      },
    },
    opts,
  );
}
