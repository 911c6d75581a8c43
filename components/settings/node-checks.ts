import { isIP } from "node:net";
import {
  isKeptByClusterApi,
  isOfKubelet,
  keyProblem,
  readNodeLabels,
  valueProblem,
} from "../kube/node-labels";
import { fields, items, text, type Fields } from "../kube/object";
import { own } from "../own";
import { under } from "../findings";
import type { WorkerNode } from "./model";

/**
 * What is wrong with the labels and taints that a cluster's nodes are to have, and with what its kubelets are told: a
 * kubelet would refuse it on a machine that is made already.
 *
 * @param cluster its settings, merged with those of its template; of any shape
 */
export function nodeProblems(path: string, cluster: Fields): string[] {
  const groups = Object.entries(fields(cluster["nodeGroups"]));
  return [
    ...kubeletArgProblems(
      `${path}.kubeadm.kubeletExtraArgs`,
      fields(fields(cluster["kubeadm"])["kubeletExtraArgs"]),
    ),
    ...taintProblems(`${path}.controlPlane.taints`, fields(cluster["controlPlane"])["taints"]),
    ...groups.flatMap(([name, group]) => [
      ...labelProblems(`${path}.nodeGroups.${name}.labels`, fields(fields(group)["labels"])),
      ...taintProblems(`${path}.nodeGroups.${name}.taints`, fields(group)["taints"]),
    ]),
  ];
}

/**
 * What is wrong with the labels and taints of a pool of workers, which a master gives them: Kubernetes would refuse it when
 * the servers are there.
 */
export function workerProblems(path: string, { labels = {}, taints }: WorkerNode): string[] {
  return [
    ...Object.entries(labels).flatMap(([key, value]) => {
      const problem = keyProblem(key) ?? valueProblem(value) ?? own(OF_OTHERS, key);
      return problem === undefined ? [] : [`${under(`${path}.labels`, key)}: ${problem}`];
    }),
    ...taintProblems(`${path}.taints`, taints),
  ];
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

function labelProblems(path: string, labels: Fields): string[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const problem = labelProblem(key, text(value) ?? "", isKeptByClusterApi(key));
    return problem === undefined ? [] : [`${under(path, key)}: ${problem}`];
  });
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

function taintProblems(path: string, taints: unknown): string[] {
  const all = items(taints).map((taint) => {
    const { key, value, effect } = fields(taint);
    return { key: text(key) ?? "", value: text(value) ?? "", effect: text(effect) ?? "" };
  });
  return all.flatMap(({ key, value, effect }, i) => {
    const [ofKey, ofValue] = [key === "" ? undefined : keyProblem(key), valueProblem(value)];
    const isTwice = all.slice(0, i).some((other) => other.key === key && other.effect === effect);
    return [
      ...(ofKey === undefined ? [] : [`${path}[${i}].key: ${ofKey}`]),
      ...(ofValue === undefined ? [] : [`${path}[${i}].value: ${ofValue}`]),
      ...(isTwice
        ? [`${path}[${i}]: "${key}" with the effect ${effect} is there already; leave one out`]
        : []),
    ];
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

function kubeletArgProblems(path: string, args: Fields): string[] {
  const { "cloud-provider": provider, "node-ip": nodeIp, "node-labels": labels } = args;
  const address = text(nodeIp) ?? "";
  return [
    ...Object.entries(SAID_BY)
      .filter(([name]) => args[name] !== undefined)
      .map(([name, owner]) => `${path}.${name}: ${owner}`),
    ...(provider === undefined || provider === "external"
      ? []
      : [
          `${path}.cloud-provider: ${JSON.stringify(provider)} is not external, the one that Kubernetes still has; leave it out`,
        ]),
    // of a family, or a template of cloud-init
    ...(isIP(address) !== 0 && !["0.0.0.0", "::"].includes(address)
      ? [
          `${path}.node-ip: ${address} would be the address of every machine; leave it out, or write 0.0.0.0 or :: for a family`,
        ]
      : []),
    ...Object.entries(readNodeLabels(text(labels) ?? "")).flatMap(([key, value]) => {
      const problem = labelProblem(key, value, false);
      return problem === undefined ? [] : [`${path}.node-labels: ${problem}`];
    }),
  ];
}
