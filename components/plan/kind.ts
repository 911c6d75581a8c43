import type { Place } from "../base/findings";
import { misplaced, type InstanceKind, type Misplaced } from "../settings/kinds";
import type { AdditionalParams, VnfSettings } from "../settings/model";

/** Returns true for parameters of a CNF: manifests, Helm charts, or both. */
export function isOfObjects(params: AdditionalParams | undefined): boolean {
  return params?.["lcm-kubernetes-def-files"] !== undefined || params?.using_helm_install_param !== undefined;
}

/** The kind of an instance, according to its parameters. */
export function kindOf({ additionalParams: params }: VnfSettings): InstanceKind {
  if (isOfObjects(params)) return "cnf";
  return params?.k8s_cluster_installation_param === undefined ? "servers" : "cluster";
}

/** Checks that the parameters fit the kind of VNF: servers or Kubernetes objects, not both. */
export function checkKind(place: Place, settings: VnfSettings, hasServers: boolean): void {
  const kind = kindOf(settings);
  const isCnf = kind === "cnf";
  const isBoth = isCnf && settings.additionalParams?.k8s_cluster_installation_param !== undefined;
  if (isBoth)
    place
      .get("additionalParams")
      .fault(
        "set k8s_cluster_installation_param for a cluster, or lcm-kubernetes-def-files or using_helm_install_param for a CNF, not both",
      );
  if (isCnf && settings.vim === undefined)
    place
      .get("vim")
      .fault("is required for a CNF; set a cluster of this stack, a VIM of another stack, or a kubeconfig");
  if (!isCnf && !hasServers)
    place.fault(
      "nothing to create; no VDU has an image (set images), and additionalParams has neither manifests (lcm-kubernetes-def-files) nor charts (using_helm_install_param)",
    );
  if (isBoth) return;
  for (const one of misplaced(settings, kind)) place.get(...one.setting).fault(whyNot(one, kind));
}

/** The error about a setting that does not apply to instances of this kind. */
function whyNot({ kinds }: Misplaced, kind: InstanceKind): string {
  switch (kinds.join()) {
    case "cluster":
      return "is for a cluster; add additionalParams.k8s_cluster_installation_param or remove it";
    case "cnf":
      return "is for a CNF; add additionalParams.lcm-kubernetes-def-files or using_helm_install_param, or remove it";
    case "cluster,cnf":
      return "is for a cluster or a CNF, and these are only servers; remove it";
    default:
      return kind === "cnf"
        ? "is for servers, and a CNF has none; remove it"
        : "is not for a cluster, because a node is re-created with its server; remove it";
  }
}
