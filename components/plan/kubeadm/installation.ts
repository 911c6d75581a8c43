import { parseCidr } from "../../base/net/cidr";
import type { Place } from "../../base/findings";
import { shown } from "../../kube/objects/object";
import { fault, readManifests, type ManifestObject } from "../../kube/manifests/manifests";
import { removedProblem } from "../../kube/objects/removed-apis";
import { sizeProblem } from "../../kube/objects/sizes";
import { tooOldProblem } from "../../kube/cluster/version-skew";
import type { ClusterInstallation, WorkerNode } from "../../settings/model";
import { checkWorkers } from "../../settings/node-checks";
import { faultLine, type Fault } from "../../vnfd/model";
import { nodePortsOf } from "./ingress";
import { checkKubeadm } from "./kubeadm-additions";

/** Path of the setting that makes an instance a cluster. */
export const INSTALLATION = ["additionalParams", "k8s_cluster_installation_param"] as const;

/** Default of management_cidrs. */
export const EVERYWHERE: readonly string[] = ["0.0.0.0/0"];

/** Warnings about the ports of a cluster that are open to everyone, as it has no management_cidrs. */
export function opennessWarnings(
  { management_cidrs: cidrs, kubeadm }: ClusterInstallation,
  place: Place,
): string[] {
  if (cidrs !== undefined) return [];
  const nodePorts = nodePortsOf(kubeadm?.cluster_configuration).join("-");
  return [
    `${place.get("management_cidrs").text}: is not set, so ${EVERYWHERE.join(", ")} can reach SSH (22), the Kubernetes API and node ports ` +
      `(${nodePorts}); set the networks of the operators (with this machine) and of the CNFs' users`,
  ];
}

/** Checks the parameters of a cluster that do not depend on the VNFD. */
export function checkInstallation(params: ClusterInstallation, place: Place): void {
  checkLogin(params.master_node, place.get("master_node"));
  for (const [at, pool] of workerPools(params, place)) {
    checkLogin(pool, at);
    checkWorkers(pool, at);
  }
  if (params.load_balancer) checkLogin(params.load_balancer, place.get("load_balancer"));
  if (params.storage_server) checkLogin(params.storage_server, place.get("storage_server"));
  if (params.management_cidrs) checkClients(params.management_cidrs, place.get("management_cidrs"));
  const tooOld = tooOldProblem(params.kubernetes_version, "kubeadm");
  if (tooOld !== undefined) place.get("kubernetes_version").fault(tooOld);
  checkKubeadm(params, place.get("kubeadm"));
}

/** All pools of workers with their places. @param place of the cluster's parameters */
export function workerPools(
  { worker_node, worker_pools = [] }: ClusterInstallation,
  place: Place,
): readonly (readonly [Place, WorkerNode])[] {
  return [
    [place.get("worker_node"), worker_node],
    ...worker_pools.map((pool, i) => [place.get("worker_pools", i), pool] as const),
  ];
}

function checkLogin(node: Pick<WorkerNode, "password" | "private_key">, place: Place): void {
  if (node.password !== undefined && node.private_key !== undefined) {
    place.fault("set password or private_key, not both");
  }
}

/** Checks CIDRs of clients of SSH and of the API, which must be IPv4. */
function checkClients(cidrs: readonly string[], place: Place): void {
  if (cidrs.some((cidr) => parseCidr(cidr)?.version === 4)) return;
  place.fault(
    `${cidrs.join(", ")}: none is IPv4, but SSH connects to nodes over IPv4; add the network of the machine that runs Pulumi`,
  );
}

/** The objects of the CNI's manifest, with sample values for its placeholders. */
export function readCni(file: string, text: string, faults: Fault[]): readonly ManifestObject[] {
  const filled = text.replaceAll(/\$\{(POD_CIDR|POD_CIDR_IPV6|SERVICE_CIDR|API_HOST|API_PORT)\}/g, "0");
  const files = { list: () => [file], has: () => true, read: () => Buffer.from(filled) };
  return readManifests(files, [file], faults);
}

/**
 * Errors in the CNI's manifest, which kubectl would report only once the servers exist.
 * @param version of the cluster's Kubernetes, or the oldest that it may be
 */
export function manifestFaults(file: string, text: string, version: string): string[] {
  const faults: Fault[] = [];
  const objects = readCni(file, text, faults);
  for (const { object, ...where } of objects) {
    const problem = sizeProblem(object) ?? removedProblem(object, version);
    if (problem !== undefined) faults.push(fault(where, shown(object), problem));
  }
  if (objects.length === 0 && faults.length === 0 && text !== "")
    return [`${file} contains no Kubernetes object`];
  return faults.map(faultLine);
}
