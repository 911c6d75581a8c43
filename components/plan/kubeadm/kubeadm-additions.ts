import { CONFIGURATIONS, type Configuration } from "../../kube/configurations";
import { at } from "../../kube/object";
import { compareConfiguration } from "../../settings/component-config";
import {
  argumentProblems,
  argumentsOf,
  COMPONENTS,
  relianceProblems,
} from "../../settings/component-reliances";
import type { ClusterInstallation, KubeadmAdditions } from "../../settings/model";

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

/** What is certainly wrong in the additions to kubeadm's configuration. @param path of the installation */
export function kubeadmFaults({ kubeadm = {}, kubernetes_version: version }: Params, path: string): string[] {
  const its = `${path}.kubeadm`;
  const { cluster_configuration: ofCluster } = kubeadm;
  return [
    ...saidTwice(kubeadm, its),
    ...settings().flatMap((setting) => [
      ...relianceProblems(setting, kubeadm[setting], `${its}.${setting}`),
      ...compareConfiguration(setting, kubeadm[setting], version, `${its}.${setting}`).faults,
    ]),
    ...COMPONENTS.flatMap((component) =>
      argumentProblems(
        component,
        argumentsOf(component, ofCluster),
        `${its}.cluster_configuration.${component}.extraArgs`,
      ),
    ),
  ];
}

/** What of them kubeadm may know, in a version that this program does not. */
export function kubeadmWarnings(
  { kubeadm = {}, kubernetes_version: version }: Params,
  path: string,
): string[] {
  return settings().flatMap(
    (setting) =>
      compareConfiguration(setting, kubeadm[setting], version, `${path}.kubeadm.${setting}`).warnings,
  );
}

function saidTwice(additions: KubeadmAdditions, path: string): string[] {
  return settings().flatMap((setting) =>
    Object.entries(SAID_BY[setting])
      .filter(([key]) => at(additions[setting], ...key.split(".")) !== undefined)
      .map(([key, owner]) => `${path}.${setting}.${key}: is set by ${owner}; leave it out`),
  );
}

function settings(): Configuration[] {
  return Object.keys(CONFIGURATIONS) as Configuration[];
}
