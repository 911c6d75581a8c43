import type { Place } from "../../base/findings";
import { publicKeys } from "../../base/keys/openpgp";
import type { ClusterInstallation } from "../../settings/model";
import type { AptRepository } from "./model";

/** Packages of which every node has the version of the cluster. */
const TOOLS = ["kubelet", "kubeadm", "kubectl"];

/** The apt repository of a cluster's nodes. */
export function planAptRepository(
  { apt_repository: params, kubernetes_version: version }: ClusterInstallation,
  place: Place,
): AptRepository | undefined {
  if (params === undefined) return undefined;
  const isFlat = params.suite.endsWith("/");
  const at = place.get("apt_repository");
  if (isFlat && params.components.length > 0) {
    at.get("components").fault(
      `${params.components.join(", ")}: a flat repository has no components; ` +
        `remove them, or set a suite that does not end with / instead of ${params.suite}`,
    );
  }
  if (!isFlat && params.components.length === 0) {
    at.get("components").fault(
      `is required with suite ${params.suite}, for example [main]; ` +
        "the suite of a flat repository ends with /",
    );
  }
  params.packages.forEach((name, i) => {
    if (!TOOLS.includes(name)) return;
    at.get("packages", i).fault(`${name} is installed in the version of kubernetes_version; remove it`);
  });
  if (version === undefined) {
    // the newest version in the repository would differ for a node that joins later
    place.get("kubernetes_version").fault("is required with apt_repository, for example v1.33.0");
    return undefined;
  }
  return {
    url: params.url ?? `https://pkgs.k8s.io/core:/stable:/${version.replace(/\.\d+$/, "")}/deb/`,
    suite: params.suite,
    components: params.components,
    signedBy: publicKeys(params.signed_by)?.toString("base64") ?? "",
    kubernetesVersion: version,
    packages: params.packages,
  };
}
