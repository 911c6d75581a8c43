import type { AptRepository, ClusterPlan } from "../plan/kubeadm/model";
import { proxyFiles } from "../plan/nodes/proxy";
import { fileLines } from "./file-lines";
import { proxyData } from "./site-proxy";

/** A node, for the scripts that run on it. */
export interface NodeData {
  readonly name: string;
  readonly role: "master" | "worker";
  /** Address of the node in the cluster. */
  readonly address: string;
}

/** The shell variables of prepare-node.sh. */
export function preparation(cluster: ClusterPlan, { name, role, address }: NodeData): Record<string, string> {
  const { keystoneAuth } = cluster.nodes;
  const webhook = keystoneAuth === undefined ? [] : [keystoneAuth.webhook];
  const proxy = proxyFiles(cluster.nodes.proxy, address);
  return {
    node_name: name,
    node_address: address,
    node_role: role,
    ...aptData(cluster.aptRepository),
    operator_files: fileLines(cluster.nodes.operatorFiles),
    trusted_files: fileLines(cluster.nodes.trusted),
    registry_files: fileLines([...cluster.nodes.files, ...cluster.nodes.secretFiles]),
    registry_names: cluster.nodes.hostsLines.join("\n"),
    node_files: fileLines([
      ...cluster.security.nodeFiles,
      ...(role === "master" ? [...cluster.security.apiServer.files, ...webhook] : []),
    ]),
    node_script: cluster.nodeScript ?? "",
    dual_stack: cluster.ipv6 === undefined ? "" : "yes",
    nfs_client: cluster.storage === undefined ? "" : "yes",
    ...proxyData(cluster, address),
    proxy_files: fileLines([...proxy.files, ...proxy.secretFiles]),
  };
}

/** Shell variables of the apt repository; empty without one. */
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
