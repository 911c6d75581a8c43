import * as pulumi from "@pulumi/pulumi";
import { clusterScript, type Route } from "../remote/cluster-script";

export interface KubernetesVersionArgs {
  /** `v1.34.4` */
  readonly version: string;
  readonly route: Route;
  readonly target: pulumi.Input<string>;
  readonly soleMaster: boolean;
}

/**
 * The version that nodes join with from now on. Refused where the masters or workers that are there are too old
 * or too new for it.
 */
export function declareVersion(
  name: string,
  { version, route, target, soleMaster }: KubernetesVersionArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  return clusterScript(
    `${name}-version`,
    route,
    {
      script: "kubernetes-version.sh",
      target,
      data: { step: "declare", kubernetes_version: version, sole_master: soleMaster ? "yes" : "" },
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
  const { version, route, target, soleMaster } = args;
  return clusterScript(
    `${name}-addons`,
    route,
    {
      script: "kubernetes-version.sh",
      target,
      data: {
        step: "conclude",
        kubernetes_version: version,
        sole_master: soleMaster ? "yes" : "",
        // with each new master the script runs again
        masters: pulumi.all([...args.masterIds]).apply((ids) => ids.join(" ")),
      },
    },
    opts,
  );
}
