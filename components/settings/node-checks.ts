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
 * Records what is wrong with the labels and taints that a cluster's nodes are to have, and with what its kubelets are
 * told: a kubelet would refuse it on a machine that is made already.
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
    const its = place.get("nodeGroups", name);
    checkLabels(fields(fields(group)["labels"]), its.get("labels"));
    checkTaints(fields(group)["taints"], its.get("taints"));
  }
}

/**
 * Records what is wrong with the labels and taints of a pool of workers, which a master gives them: Kubernetes would
 * refuse it when the servers are there.
 */
export function checkWorkers({ labels = {}, taints }: WorkerNode, place: Place): void {
  for (const [key, value] of Object.entries(labels)) {
    const problem = keyProblem(key) ?? valueProblem(value) ?? own(OF_OTHERS, key);
    if (problem !== undefined) place.get("labels", key).fault(problem);
  }
  checkTaints(taints, place.get("taints"));
}

const OF_HOST = "is another one on each node; leave it out";

/** Labels that others give a node, or that say which nodes are masters. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  "kubernetes.io/hostname": OF_HOST,
  "kubernetes.io/os": "is what the kubelet finds on the node; leave it out",
  "kubernetes.io/arch": "is what the kubelet finds on the node; leave it out",
  "topology.kubernetes.io/zone":
    "is the availability zone of each node's server; name zones under servers.<VDU>.availabilityZones",
  "node-role.kubernetes.io/control-plane": "is of masters alone; take the name of another role",
};

function checkLabels(labels: Fields, place: Place): void {
  for (const [key, value] of Object.entries(labels)) {
    const problem = labelProblem(key, text(value) ?? "", isKeptByClusterApi(key));
    if (problem !== undefined) place.get(key).fault(problem);
  }
}

/** @param isKept whether Cluster API sets it, and not the kubelet */
function labelProblem(key: string, value: string, isKept: boolean): string | undefined {
  const problem = keyProblem(key) ?? valueProblem(value);
  if (problem !== undefined) return problem;
  if (key === "kubernetes.io/hostname") return OF_HOST;
  return isKept || isOfKubelet(key)
    ? undefined
    : `"${key}" is none that a kubelet may give its node: of kubernetes.io and k8s.io these begin with ` +
        "node.kubernetes.io/ or kubelet.kubernetes.io/. A role is node-role.kubernetes.io/<role>, under the labels of a " +
        "node group; else take a domain of your own";
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
      at.fault(`"${key}" with the effect ${effect} is there already; leave one out`);
  });
}

/** Arguments that are not for all machines alike, or that another setting says. */
const SAID_BY: Readonly<Record<string, string>> = {
  "provider-id": "is the id of each machine's own server, which the program gives it; leave it out",
  "hostname-override": "is each machine's own name, which the program gives it; leave it out",
  "register-with-taints": "is what taints of controlPlane and of node groups say; leave it out",
  config: "is where kubeadm puts it; leave it out",
  kubeconfig: "is where kubeadm puts it; leave it out",
  "bootstrap-kubeconfig": "is where kubeadm puts it; leave it out",
  "container-runtime-endpoint": "is containerd's, which the program gives kubeadm; leave it out",
};

function checkKubeletArgs(args: Fields, place: Place): void {
  const { "cloud-provider": provider, "node-ip": nodeIp, "node-labels": labels } = args;
  const address = text(nodeIp) ?? "";
  for (const [name, owner] of Object.entries(SAID_BY))
    if (args[name] !== undefined) place.get(name).fault(owner);
  if (provider !== undefined && provider !== "external")
    place
      .get("cloud-provider")
      .fault(`${JSON.stringify(provider)} is not external, the one that Kubernetes still has; leave it out`);
  // of a family, or a template of cloud-init
  if (isIP(address) !== 0 && !["0.0.0.0", "::"].includes(address))
    place
      .get("node-ip")
      .fault(
        `${address} would be the address of every machine; leave it out, or write 0.0.0.0 or :: for a family`,
      );
  for (const [key, value] of Object.entries(readNodeLabels(text(labels) ?? ""))) {
    const problem = labelProblem(key, value, false);
    if (problem !== undefined) place.get("node-labels").fault(problem);
  }
}
