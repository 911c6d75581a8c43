import { textOf, type Place } from "../../base/findings";
import { maxPodsWarning } from "../../kube/cluster/cluster-blocks";
import { CONFIGURATIONS, type Configuration } from "../../kube/cluster/configurations";
import { securityConfig } from "../../kube/cluster/control-plane";
import { at, fields, items, text } from "../../kube/objects/object";
import { parseVersion } from "../../kube/cluster/version";
import { checkArgumentValues } from "../../settings/component-arguments";
import { compareConfiguration } from "../../settings/component-config";
import { checkArguments, argumentsOf, COMPONENTS, checkReliances } from "../../settings/component-reliances";
import { gateProblems, kubeletProblems } from "../../settings/kubelet-rules";
import type { ClusterInstallation } from "../../settings/model";
import { securitySettings } from "./security";

/**
 * Fields of kubeadm's configuration that other settings, or vnfm, determine, by the error about an addition to them.
 */
const SETTING_OF: Readonly<Record<Configuration, Readonly<Record<string, string>>>> = {
  cluster_configuration: {
    apiVersion: "vnfm",
    kind: "vnfm",
    clusterName: "vim_name",
    kubernetesVersion: "kubernetes_version",
    controlPlaneEndpoint: "master_node.cluster_cp_name",
    "networking.podSubnet": "master_node.pod_cidr",
    "networking.serviceSubnet": "master_node.cluster_cidr",
  },
  kubelet_configuration: { apiVersion: "vnfm", kind: "vnfm" },
  kube_proxy_configuration: {
    apiVersion: "vnfm",
    kind: "vnfm",
    clusterCIDR: "master_node.pod_cidr",
  },
};

type Params = Pick<ClusterInstallation, "kubeadm" | "kubernetes_version" | "apiServer" | "hardening">;

/**
 * Records errors in the additions to kubeadm's configuration with which the cluster would not start.
 * @param place of the additions
 */
export function checkKubeadm(params: Params, place: Place): void {
  const { kubeadm = {}, kubernetes_version: version } = params;
  for (const setting of settings()) checkDuplicates(setting, kubeadm[setting], place.get(setting));
  for (const setting of settings()) {
    checkReliances(setting, kubeadm[setting], place.get(setting));
    place.findings.add(
      ...compareConfiguration(setting, kubeadm[setting], version, "kubernetes_version", place.get(setting))
        .faults,
    );
  }
  checkStart(kubeadm, parseVersion(version)?.minor, place);
  for (const component of COMPONENTS) {
    const args = argumentsOf(component, kubeadm.cluster_configuration);
    const ofComponent = place.get("cluster_configuration", ...component.split("."), "extraArgs");
    checkArguments(component, args, ofComponent);
    if (component === "etcd.local") continue;
    const mounts = items(at(kubeadm.cluster_configuration, component, "extraVolumes")).flatMap(
      (volume) => text(at(volume, "mountPath")) ?? [],
    );
    const { apiServer } = securityConfig(securitySettings(params));
    const others = new Set(component === "apiServer" ? Object.keys(apiServer.args) : []);
    checkArgumentValues(PROGRAMS[component], args, { version, mounts, others, place: ofComponent });
  }
}

/** Programs of the control plane, by the names of their settings in kubeadm's ClusterConfiguration. */
const PROGRAMS = {
  apiServer: "kube-apiserver",
  controllerManager: "kube-controller-manager",
  scheduler: "kube-scheduler",
} as const;

/** Records fields with which kubeadm, a kubelet or kube-proxy does not start. */
function checkStart(kubeadm: NonNullable<Params["kubeadm"]>, minor: number | undefined, place: Place): void {
  const problems = {
    cluster_configuration: gateProblems(at(kubeadm.cluster_configuration, "featureGates"), minor, "kubeadm"),
    kubelet_configuration: kubeletProblems(fields(kubeadm.kubelet_configuration), minor),
    kube_proxy_configuration: gateProblems(at(kubeadm.kube_proxy_configuration, "featureGates"), minor),
  };
  for (const [setting, ofSetting] of Object.entries(problems))
    for (const { field, problem } of ofSetting) place.get(setting, field).fault(problem);
}

/** Warnings about additions that vnfm does not know for the version, and about pods that would get no address. */
export function kubeadmWarnings(
  { kubeadm = {}, kubernetes_version: version }: Params,
  place: Place,
): string[] {
  const { maxPods } = fields(kubeadm.kubelet_configuration);
  const args = new Map(argumentsOf("controllerManager", kubeadm.cluster_configuration));
  const ofPods = maxPodsWarning(Number(maxPods), args);
  return [
    ...settings().flatMap(
      (setting) =>
        compareConfiguration(setting, kubeadm[setting], version, "kubernetes_version", place.get(setting))
          .warnings,
    ),
    ...(ofPods === undefined ? [] : [place.get("kubelet_configuration", "maxPods").finding(ofPods)]),
  ].map(textOf);
}

function checkDuplicates(setting: Configuration, additions: unknown, place: Place): void {
  for (const [key, owner] of Object.entries(SETTING_OF[setting])) {
    const keys = key.split(".");
    if (at(additions, ...keys) !== undefined) place.get(...keys).fault(`is set by ${owner}; remove it`);
  }
}

function settings(): Configuration[] {
  return Object.keys(CONFIGURATIONS) as Configuration[];
}
