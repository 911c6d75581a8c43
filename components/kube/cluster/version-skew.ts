import { isBefore, parseVersion, type Version } from "./version";

/*
 * Which versions of Kubernetes go together, and how a cluster goes from one to the next:
 * https://kubernetes.io/releases/version-skew-policy
 *
 * Scripts on nodes get the numbers as data, and compare what they find there with them. A script compares minor
 * versions alone, as an image may have another patch than the cluster; its messages say the numbers in words.
 */

/** Oldest version of a cluster: vnfm writes kubeadm's API v1beta4, which exists since this version. */
export const OLDEST_CLUSTER = "v1.31.0";

/** Oldest version of each kind of cluster, and the program that rejects an older one. */
const OLDEST = {
  kubeadm: [OLDEST_CLUSTER, "kubeadm has the API v1beta4, which vnfm uses, in"],
  // it writes kubeadm's API v1beta3 before v1.31, and no older one
  "cluster-api": ["v1.22.0", "Cluster API's kubeadm provider creates"],
} as const;

/** Oldest minor version to which a cluster can be upgraded: older ones have no `kubeadm upgrade apply phase`. */
export const OLDEST_UPGRADE_MINOR = 32;

/** Maximum step of a control plane's minor version: kubeadm skips none, and supports no downgrade. */
export const MINORS_AT_A_TIME = 1;

/** Minor versions that a kubelet may be older than kube-apiserver. It is never newer. */
export const KUBELET_MINORS_BEHIND = 3;

/** Counts the minor versions from another version to this one; negative if this one is older. */
export function minorsAfter(version: Version, other: Version): number {
  return version.minor - other.minor;
}

/**
 * Returns the intermediate minor version of an upgrade, such as `v1.34`. Undefined if the control plane can be upgraded
 * in one step.
 */
export function versionBetween(from: Version, to: Version): string | undefined {
  return minorsAfter(to, from) > MINORS_AT_A_TIME ? `v1.${from.minor + MINORS_AT_A_TIME}` : undefined;
}

/** Returns the error about a version that is too old for new machines. Undefined: it is new enough, or not known. */
export function tooOldProblem(version: string | undefined, maker: keyof typeof OLDEST): string | undefined {
  const [oldest, reason] = OLDEST[maker];
  const [own, least] = [version, oldest].map(parseVersion);
  if (own === undefined || least === undefined || !isBefore(own, least)) return undefined;
  return (
    `${version} is too old: ${reason} ${oldest} and newer; use one of these, and an image of it. ` +
    "An existing cluster of an older version can be used as a vim"
  );
}

/** Returns true if vnfm can upgrade a cluster to a version. */
export function isUpgradable(to: Version): boolean {
  return to.minor >= OLDEST_UPGRADE_MINOR;
}

/** Returns true if this kubeadm can create control-plane nodes of a version: both need the same minor version. */
export function kubeadmMakes(kubeadm: Version, version: Version): boolean {
  return kubeadm.minor === version.minor;
}

/** Returns the reason why a kubelet does not work with kube-apiserver; undefined if it does. */
export function kubeletProblem(kubelet: Version, apiServer: Version): "newer" | "too old" | undefined {
  if (isBefore(apiServer, kubelet)) return "newer";
  return minorsAfter(apiServer, kubelet) > KUBELET_MINORS_BEHIND ? "too old" : undefined;
}
