import { textOf, type Place } from "../../findings";
import { maxPodsWarning } from "../../kube/cluster-blocks";
import { CONFIGURATIONS, type Configuration } from "../../kube/configurations";
import { at, fields } from "../../kube/object";
import { compareConfiguration } from "../../settings/component-config";
import { checkArguments, argumentsOf, COMPONENTS, checkReliances } from "../../settings/component-reliances";
import type { ClusterInstallation } from "../../settings/model";

/** What other settings, or the program, say of kubeadm's configuration: two answers would contradict. */
const SAID_BY: Readonly<Record<Configuration, Readonly<Record<string, string>>>> = {
  cluster_configuration: {
    apiVersion: "the program",
    kind: "the program",
    clusterName: "vim_name",
    kubernetesVersion: "kubernetes_version",
    controlPlaneEndpoint: "master_node.cluster_cp_name",
    "networking.podSubnet": "master_node.pod_cidr",
    "networking.serviceSubnet": "master_node.cluster_cidr",
  },
  kubelet_configuration: { apiVersion: "the program", kind: "the program" },
  kube_proxy_configuration: {
    apiVersion: "the program",
    kind: "the program",
    clusterCIDR: "master_node.pod_cidr",
  },
};

type Params = Pick<ClusterInstallation, "kubeadm" | "kubernetes_version">;

/** Records what is certainly wrong in the additions to kubeadm's configuration. @param place of the additions */
export function checkKubeadm({ kubeadm = {}, kubernetes_version: version }: Params, place: Place): void {
  for (const setting of settings()) checkSaidTwice(setting, kubeadm[setting], place.get(setting));
  for (const setting of settings()) {
    checkReliances(setting, kubeadm[setting], place.get(setting));
    place.findings.add(
      ...compareConfiguration(setting, kubeadm[setting], version, place.get(setting)).faults,
    );
  }
  for (const component of COMPONENTS)
    checkArguments(
      component,
      argumentsOf(component, kubeadm.cluster_configuration),
      place.get("cluster_configuration", ...component.split("."), "extraArgs"),
    );
}

/** What of them kubeadm may know, in a version that this program does not, and pods that would have no address. */
export function kubeadmWarnings(
  { kubeadm = {}, kubernetes_version: version }: Params,
  place: Place,
): string[] {
  const { maxPods } = fields(kubeadm.kubelet_configuration);
  const args = new Map(argumentsOf("controllerManager", kubeadm.cluster_configuration));
  const ofPods = maxPodsWarning(Number(maxPods), args);
  return [
    ...settings().flatMap(
      (setting) => compareConfiguration(setting, kubeadm[setting], version, place.get(setting)).warnings,
    ),
    ...(ofPods === undefined ? [] : [place.get("kubelet_configuration", "maxPods").finding(ofPods)]),
  ].map(textOf);
}

function checkSaidTwice(setting: Configuration, additions: unknown, place: Place): void {
  for (const [key, owner] of Object.entries(SAID_BY[setting])) {
    const keys = key.split(".");
    if (at(additions, ...keys) !== undefined) place.get(...keys).fault(`is set by ${owner}; leave it out`);
  }
}

function settings(): Configuration[] {
  return Object.keys(CONFIGURATIONS) as Configuration[];
}
