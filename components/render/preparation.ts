import type { AptRepository, ClusterPlan } from "../plan/kubeadm/model";
import { fileLines } from "./file-lines";
import { registryData } from "./registry-files";
import { proxyUrls } from "./site-proxy";

/** The shell variables of prepare-node.sh that are known before the node has an address. */
export function preparation(
  cluster: ClusterPlan,
  role: "master" | "worker",
  nodeName: string,
): Record<string, string> {
  return {
    node_name: nodeName,
    node_role: role,
    ...aptData(cluster.aptRepository),
    ...registryData(cluster.registries),
    node_files: fileLines([
      ...cluster.security.nodeFiles,
      ...(role === "master" ? cluster.security.apiServer.files : []),
    ]),
    node_script: cluster.nodeScript ?? "",
    dual_stack: cluster.ipv6 === undefined ? "" : "yes",
    nfs_client: cluster.storage === undefined ? "" : "yes",
    ...proxyUrls(cluster),
  };
}

/** The shell variables about the apt repository. All are empty where there is none. */
function aptData(repository: AptRepository | undefined): Record<`apt_${string}`, string> {
  return {
    apt_url: repository?.url ?? "",
    apt_suite: repository?.suite ?? "",
    apt_components: repository?.components.join(" ") ?? "",
    apt_key: repository?.signedBy ?? "",
    apt_version: repository?.kubernetesVersion.slice(1) ?? "",
    apt_packages: repository?.packages.join(" ") ?? "",
  };
}
