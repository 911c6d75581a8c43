import { isIP } from "node:net";
import type { Place } from "../base/findings";
import {
  isKeptByClusterApi,
  isOfKubelet,
  keyProblem,
  readNodeLabels,
  valueProblem,
} from "../kube/cluster/node-labels";
import { fields, items, text, type Fields } from "../kube/objects/object";
import { own } from "../base/own";
import { checkKubeletArguments } from "./kubelet-arguments";
import type { WorkerNode } from "./model";

/**
 * Records labels and taints of a cluster's nodes, and arguments of its kubelets, that a kubelet would refuse on a
 * machine that exists already.
 *
 * @param cluster its settings, merged with those of its template; of any shape
 */
export function checkNodes(cluster: Fields, place: Place): void {
  const args = fields(fields(cluster["kubeadm"])["kubeletExtraArgs"]);
  const ofArgs = place.get("kubeadm", "kubeletExtraArgs");
  checkKubeletArgs(args, ofArgs);
  const groups = Object.values(fields(cluster["nodeGroups"]));
  const versions = [cluster, ...groups].flatMap(
    (machines) => text(fields(machines)["kubernetesVersion"]) ?? [],
  );
  for (const version of new Set(versions)) checkKubeletArguments(args, version, ofArgs);
  checkTaints(fields(cluster["controlPlane"])["taints"], place.get("controlPlane", "taints"));
  for (const [name, group] of Object.entries(fields(cluster["nodeGroups"]))) {
    const at = place.get("nodeGroups", name);
    checkLabels(fields(fields(group)["labels"]), at.get("labels"));
    checkTaints(fields(group)["taints"], at.get("taints"));
  }
}

/**
 * Records labels and taints of a pool of workers that Kubernetes would refuse once the servers exist. A control-plane
 * node sets them.
 */
export function checkWorkers({ labels = {}, taints }: WorkerNode, place: Place): void {
  for (const [key, value] of Object.entries(labels)) {
    const problem = keyProblem(key) ?? valueProblem(value) ?? own(OF_OTHERS, key);
    if (problem !== undefined) place.get("labels", key).fault(problem);
  }
  checkTaints(taints, place.get("taints"));
}

const OF_HOST = "differs on each node; remove it";

/** Labels that vnfm or Kubernetes sets: the error about a value from the operator, by label. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  "kubernetes.io/hostname": OF_HOST,
  "kubernetes.io/os": "is detected by the kubelet on the node; remove it",
  "kubernetes.io/arch": "is detected by the kubelet on the node; remove it",
  "topology.kubernetes.io/zone":
    "is the availability zone of each node's server; set zones under servers.<VDU>.availabilityZones",
  "node-role.kubernetes.io/control-plane": "is only for control-plane nodes; use the name of another role",
};

function checkLabels(labels: Fields, place: Place): void {
  for (const [key, value] of Object.entries(labels)) {
    const problem = labelProblem(key, text(value) ?? "", isKeptByClusterApi(key));
    if (problem !== undefined) place.get(key).fault(problem);
  }
}

/** @param isKept whether Cluster API sets the label, not the kubelet */
function labelProblem(key: string, value: string, isKept: boolean): string | undefined {
  const problem = keyProblem(key) ?? valueProblem(value);
  if (problem !== undefined) return problem;
  if (key === "kubernetes.io/hostname") return OF_HOST;
  return isKept || isOfKubelet(key)
    ? undefined
    : `"${key}" is not a label that a kubelet can set on its node: of kubernetes.io and k8s.io, such labels begin with ` +
        "node.kubernetes.io/ or kubelet.kubernetes.io/. A role is node-role.kubernetes.io/<role>, under the labels of a " +
        "node group; otherwise use your own domain";
}

function checkTaints(taints: unknown, place: Place): void {
  const all = items(taints).map((taint) => {
    const { key, value, effect } = fields(taint);
    return { key: text(key) ?? "", value: text(value) ?? "", effect: text(effect) ?? "" };
  });
  all.forEach(({ key, value, effect }, i) => {
    const at = place.get(i);
    const [ofKey, ofValue] = [key === "" ? undefined : keyProblem(key), valueProblem(value)];
    if (ofKey !== undefined) at.get("key").fault(ofKey);
    if (ofValue !== undefined) at.get("value").fault(ofValue);
    if (all.slice(0, i).some((other) => other.key === key && other.effect === effect))
      at.fault(`"${key}" with the effect ${effect} appears twice; remove one`);
  });
}

/** Arguments that must differ on each machine, or that another setting determines, with the error about each. */
const SET_ELSEWHERE: Readonly<Record<string, string>> = {
  "provider-id": "is the id of each machine's own server, which vnfm sets; remove it",
  "hostname-override": "is each machine's own name, which vnfm sets; remove it",
  "register-with-taints": "is set by taints of controlPlane and of node groups; remove it",
  config: "is where kubeadm stores it; remove it",
  kubeconfig: "is where kubeadm stores it; remove it",
  "bootstrap-kubeconfig": "is where kubeadm stores it; remove it",
  "container-runtime-endpoint": "is containerd's, which vnfm passes to kubeadm; remove it",
};

function checkKubeletArgs(args: Fields, place: Place): void {
  const { "cloud-provider": provider, "node-ip": nodeIp, "node-labels": labels } = args;
  const address = text(nodeIp) ?? "";
  for (const [name, owner] of Object.entries(SET_ELSEWHERE))
    if (args[name] !== undefined) place.get(name).fault(owner);
  if (provider !== undefined && provider !== "external")
    place
      .get("cloud-provider")
      .fault(
        `${JSON.stringify(provider)} is not external, the only one that Kubernetes still supports; remove it`,
      );
  // of a family, or a template of cloud-init
  if (isIP(address) !== 0 && !["0.0.0.0", "::"].includes(address))
    place
      .get("node-ip")
      .fault(
        `${address} would be the address of every machine; remove it, or use 0.0.0.0 or :: for an IP version`,
      );
  for (const [key, value] of Object.entries(readNodeLabels(text(labels) ?? ""))) {
    const problem = labelProblem(key, value, false);
    if (problem !== undefined) place.get("node-labels").fault(problem);
  }
}
