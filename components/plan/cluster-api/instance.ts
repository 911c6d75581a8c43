import { textOf, type Findings, type Place } from "../../base/findings";
import { maxPodsWarning } from "../../kube/cluster/cluster-blocks";
import type { KubeObject } from "../../kube/objects/object";
import { parseVersion } from "../../kube/cluster/version";
import { minorsAfter } from "../../kube/cluster/version-skew";
import type { ClusterSettings } from "../../settings/model";
import { kubeProxyFindings } from "../../settings/cluster-checks";
import { isOnMachine, ON_MACHINE } from "../../settings/sole-machine";
import type { WorkloadPlan } from "../model";
import { templateAddons } from "./addons";
import { autoscalerObjects, autoscalerWarnings } from "./autoscaler";
import { cloudSecret, networkName } from "./capo";
import { clusterDemand } from "./demand";
import { cloudNeeds, apiAddresses } from "./needs";
import { clusterObjects, CONTROL_PLANE_VDU, serverGroups } from "./objects";
import { readNodes } from "./read-nodes";
import { planNodes } from "../nodes/features";
import { vimOf } from "../vim";
import { planAddons } from "../workload/addons";
import type { PlannedVnfc } from "../workload/cnf";
import { keyOf } from "../workload/keys";
import { planObjects } from "../workload/planned-objects";
import type { RenderedCharts } from "../workload/releases";
import { checkUserData } from "./user-data";
import { planWorkloadCluster } from "./workload-cluster";

/**
 * Plans a workload cluster from a template: the cluster, and its addons, each as a CNF on it.
 * @param charts rendered charts of the addons. @default not known
 */
export function planClusterInstance(
  name: string,
  settings: ClusterSettings,
  charts: RenderedCharts | undefined,
  faults: Findings,
): WorkloadPlan[] {
  const place = faults.instance(name);
  // the credential is its content; the label has "clusterctl move" take it along
  const labels = { "clusterctl.cluster.x-k8s.io/move": "true" };
  const metadata = { name: cloudSecret(name), namespace: name, labels };
  const secret: KubeObject = { apiVersion: "v1", kind: "Secret", metadata };
  const nodes = planNodes(readNodes(settings, place));
  const ofCluster = clusterObjects(name, settings, nodes, place);
  checkUserData(ofCluster, place.get("kubeadm"));
  const objects = planObjects(name, [secret, ...ofCluster, ...autoscalerObjects(name, settings)], place);
  const vnfcs = machineSets(name, settings);
  const cnf = { instance: name, namespace: name, objects, releases: [], vnfcs, warnings: [] };
  const { readyTimeout, protectForeignObjects } = settings;
  const warnings = [
    ...opennessWarnings(place, settings),
    ...soleMachineWarnings(place.get("apiServer", "loadBalancer"), settings),
    ...nodes.warnings,
    ...autoscalerWarnings(place, settings),
    ...olderGroupWarnings(place.get("nodeGroups"), settings),
    ...kubeProxyWarnings(place.get("kubeadm", "kubeProxyConfiguration"), settings),
    ...podWarnings(place.get("kubeadm", "kubeletExtraArgs", "max-pods"), settings),
  ];
  const cloudSecrets = [{ key: keyOf(name, secret), credentialOf: name, form: "clouds.yaml" as const }];
  return [
    {
      kind: "template",
      ...{ name, warnings, cnf, readyTimeout, protectForeignObjects, cloudSecrets },
      credential: settings.credential,
      cloudNeeds: cloudNeeds(settings),
      madeNetwork: settings.network.network === undefined ? networkName(name) : undefined,
      demand: clusterDemand(name, settings),
      serverGroups: serverGroups(name, settings),
      addresses: apiAddresses(settings),
      keepsMachine: isOnMachine(settings.apiServer),
      ...(settings.credentialsReceiver && { credentialsReceiver: settings.credentialsReceiver }),
      on: vimOf(settings.vim),
      cluster: planWorkloadCluster(place, cnf, warnings),
      after: [],
    },
    ...planAddons(templateAddons(name, place, settings), charts),
  ];
}

/** Warnings about ports of a cluster that are open to everyone, as its settings have no allowedCidrs. */
function opennessWarnings(place: Place, { apiServer, network }: ClusterSettings): string[] {
  const { allowedCidrs, floatingIp, loadBalancer, loadBalancerProvider, port } = apiServer;
  const isInside = floatingIp === false || network.externalNetwork === undefined;
  if (allowedCidrs !== undefined || isInside) return [];
  const first = !loadBalancer
    ? "use a loadBalancer, because only it supports such lists, and "
    : loadBalancerProvider === "ovn"
      ? "use the loadBalancerProvider amphora, because ovn has no such lists, and "
      : "";
  return [
    `${place.get("apiServer", "allowedCidrs").text}: is not set, so 0.0.0.0/0 can reach the Kubernetes API (${port}); ` +
      `${first}set the networks of the operators (with this machine), of the management cluster, and of the CNFs' users`,
  ];
}

/** Warnings about a control plane that cannot be changed later. @param place of the setting that would change it */
function soleMachineWarnings(place: Place, { apiServer }: ClusterSettings): string[] {
  if (!isOnMachine(apiServer)) return [];
  return [
    `${place.text}: ${ON_MACHINE}: heals and upgrades are rejected, other changes of controlPlane and apiServer fail, and its ` +
      "certificates expire after a year, unless `kubeadm certs renew all` is run on it before; use a loadBalancer, or kubeVip, " +
      "for a cluster that will exist longer",
  ];
}

/**
 * Warnings about node groups with another minor version of kubeadm than the control plane's: their machines cannot
 * join.
 * https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/create-cluster-kubeadm/#kubeadm-s-skew-against-kubeadm
 */
function olderGroupWarnings(place: Place, { kubernetesVersion, nodeGroups }: ClusterSettings): string[] {
  const ofCluster = parseVersion(kubernetesVersion);
  return Object.entries(nodeGroups).flatMap(([group, { kubernetesVersion: version = kubernetesVersion }]) => {
    const ofGroup = parseVersion(version);
    if (ofCluster === undefined || ofGroup === undefined || minorsAfter(ofGroup, ofCluster) === 0) return [];
    return [
      `${place.get(group, "kubernetesVersion").text}: ${version} has another minor version than the control plane's ` +
        `${kubernetesVersion}: until the group has that version, it gets no new machines, not even to replace failed ones`,
    ];
  });
}

/** Warnings about fields of kube-proxy's configuration that vnfm does not know for the version. @param place of it */
function kubeProxyWarnings(place: Place, { kubeadm, kubernetesVersion }: ClusterSettings): string[] {
  return kubeProxyFindings(kubeadm.kubeProxyConfiguration, kubernetesVersion, place).warnings.map(textOf);
}

/** Warnings about more pods on a machine than its block has addresses. @param place of the argument */
function podWarnings(place: Place, { kubeadm }: ClusterSettings): string[] {
  const warning = maxPodsWarning(Number(kubeadm.kubeletExtraArgs["max-pods"]), new Map());
  return warning === undefined ? [] : [`${place.text}: ${warning}`];
}

/** The control plane and the node groups as VNFCs. */
function machineSets(name: string, { controlPlane, nodeGroups }: ClusterSettings): PlannedVnfc[] {
  return [
    {
      ...{ vdu: CONTROL_PLANE_VDU, kind: "KubeadmControlPlane", namespace: name, name },
      replicas: controlPlane.replicas,
    },
    ...Object.entries(nodeGroups).map(([group, { replicas }]) => ({
      ...{ vdu: group, kind: "MachineDeployment", namespace: name, name: `${name}-${group}`, replicas },
    })),
  ];
}
