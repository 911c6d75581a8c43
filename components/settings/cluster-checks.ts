import { isBetween, isIn } from "../base/net/cidr";
import type { Place } from "../base/findings";
import { hardeningProblem } from "../kube/cluster/cis";
import {
  checkDuplicateArguments,
  securityConfig,
  type SecuritySettings,
} from "../kube/cluster/control-plane";
import { at, fields, isFields, items, text, type Fields } from "../kube/objects/object";
import { KEYSTONE_AUTH_PORT } from "../kube/cluster/keystone";
import { parseVersion } from "../kube/cluster/version";
import { KUBELET_MINORS_BEHIND, kubeletProblem, tooOldProblem } from "../kube/cluster/version-skew";
import { limits } from "../base/limits";
import { didYouMean, oneOf } from "../base/nearest";
import { checkArgumentValues } from "./component-arguments";
import { compareConfiguration, type ConfigurationFindings } from "./component-config";
import { checkArguments, checkReliances } from "./component-reliances";
import { checkNetwork, checkNodePorts, NODE_CIDR } from "./cluster-network-checks";
import { gateProblems } from "./kubelet-rules";
import { checkNodes } from "./node-checks";
import { checkPatches } from "./patch-checks";
import { isOnMachine, ON_MACHINE } from "./sole-machine";

/** Addon with the cloud controller manager: nodes that wait for a cloud provider take no pods until it runs. */
export const CLOUD_CONTROLLER = "openstack-cloud-controller-manager";

/** Addon that creates Cinder volumes for PersistentVolumeClaims. */
export const CINDER_CSI = "openstack-cinder-csi";

/**
 * Records errors in a workload cluster that its schema cannot express: settings that require or exclude each other.
 * @param cluster its settings, merged with those of its template; of any shape
 */
export function checkCluster(cluster: Fields, place: Place): void {
  const [network, apiServer, controlPlane] = ["network", "apiServer", "controlPlane"].map((key) =>
    fields(cluster[key]),
  ) as [Fields, Fields, Fields];
  const groups = Object.entries(fields(cluster["nodeGroups"]));
  const names = groups.map(([name]) => name);
  const ofGroups = place.get("nodeGroups");
  for (const name of RESERVED.filter((one) => names.includes(one)))
    ofGroups.get(name).fault("is reserved for vnfm; rename the group");
  const healed = Object.keys(fields(cluster["heal"]));
  checkHeal(healed, names, place.get("heal"));
  for (const name of healed.filter((one) => isOnMachine(apiServer) && ["controlPlane", "all"].includes(one)))
    place
      .get("heal", name)
      .fault(`is not possible: ${ON_MACHINE}; heal node groups by their names, or create another cluster`);
  checkMachines(controlPlane, groups, ofGroups);
  checkAge(cluster, place);
  checkVolumes(controlPlane, place.get("controlPlane"));
  for (const [name, group] of groups) checkGroup(fields(group), cluster, ofGroups.get(name));
  checkNodes(cluster, place);
  checkKubeProxy(cluster, place.get("kubeadm", "kubeProxyConfiguration"));
  const hasCloudController = isFields(fields(cluster["addons"])[CLOUD_CONTROLLER]);
  checkApi(apiServer, controlPlane, network, hasCloudController, place.get("apiServer"));
  checkKeystone(apiServer, place.get("apiServer"));
  checkSecurity(cluster, apiServer, place);
  checkNetwork(network, mostMachines(controlPlane, groups), place.get("network"));
  checkNodePorts(fields(apiServer["extraArgs"]), network, place.get("apiServer", "extraArgs"));
  checkPatches(cluster["patches"], place.get("patches"));
  if (cluster["blockStorage"] !== undefined && !isFields(fields(cluster["addons"])[CINDER_CSI]))
    place.get("blockStorage").fault(`is for ${CINDER_CSI}; add it under addons, or remove this`);
}

/** Fields of kube-proxy's configuration that vnfm sets, with their source for messages. */
const KUBE_PROXY = { apiVersion: "vnfm", kind: "vnfm", clusterCIDR: "network.podCidr" };

function checkKubeProxy(cluster: Fields, place: Place): void {
  const additions = fields(cluster["kubeadm"])["kubeProxyConfiguration"];
  const version = text(cluster["kubernetesVersion"]);
  for (const [key, owner] of Object.entries(KUBE_PROXY))
    if (fields(additions)[key] !== undefined) place.get(key).fault(`is set by ${owner}; remove it`);
  checkReliances("kube_proxy_configuration", additions, place);
  for (const { field, problem } of gateProblems(at(additions, "featureGates"), parseVersion(version)?.minor))
    place.get(field).fault(problem);
  place.findings.add(...kubeProxyFindings(additions, version, place).faults);
}

/**
 * Checks additions to the kube-proxy configuration of a workload cluster.
 * @param place of the additions
 */
export function kubeProxyFindings(
  additions: unknown,
  version: string | undefined,
  place: Place,
): ConfigurationFindings {
  return compareConfiguration("kube_proxy_configuration", additions, version, "kubernetesVersion", place);
}

function checkSecurity(cluster: Fields, api: Fields, place: Place): void {
  const { auditPolicy, admissionConfiguration, encryptionKeys, oidc, keystone, extraArgs } = api;
  const hardening = cluster["hardening"] === "cis" ? "cis" : undefined;
  const problem = hardening && hardeningProblem(text(cluster["kubernetesVersion"]), "kubernetesVersion");
  const isEncrypted = encryptionKeys !== undefined;
  const args = Object.entries(fields(extraArgs)).map(([name, value]) => [name, text(value) ?? ""] as const);
  const ofArgs = place.get("apiServer", "extraArgs");
  if (problem !== undefined) place.get("hardening").fault(problem);
  if (hardening !== undefined && !isEncrypted)
    place
      .get("apiServer", "encryptionKeys")
      .fault("is required with hardening; set a key of 32 bytes, as printed by `openssl rand -base64 32`");
  const settings: SecuritySettings = {
    ...(isFields(auditPolicy) && { auditPolicy }),
    ...(isFields(admissionConfiguration) && { admissionConfiguration }),
    ...(isFields(keystone) && { keystone }),
    ...(isFields(oidc) && { oidc }),
    ...{ hardening, isEncrypted, otherArgs: args.map(([name]) => name) },
  };
  checkDuplicateArguments(settings, ofArgs);
  checkArguments("apiServer", args, ofArgs);
  checkArgumentValues("kube-apiserver", args, {
    version: text(cluster["kubernetesVersion"]),
    // a patch may mount what it likes
    mounts: JSON.stringify(cluster["patches"] ?? []).includes("extraVolumes") ? undefined : [],
    others: new Set(Object.keys(securityConfig(settings).apiServer.args)),
    place: ofArgs,
  });
}

/** Names that no node group may have. */
const RESERVED = ["all", "control-plane"];

function checkHeal(healed: readonly string[], groups: readonly string[], place: Place): void {
  const known = ["controlPlane", ...groups, "all"];
  for (const name of healed.filter((one) => !known.includes(one)))
    place.get(name).fault(`there is no such group; ${oneOf(known)}${didYouMean(name, known)}`);
}

/** Records a cluster with too many machines in total. The schema limits each group by itself. */
function checkMachines(
  { replicas: ofControlPlane = 1 }: Fields,
  groups: readonly (readonly [string, unknown])[],
  place: Place,
): void {
  const counts = groups.map(([, group]) => {
    const { replicas, autoscaling } = fields(group);
    return Number(replicas ?? fields(autoscaling)["max"] ?? 0);
  });
  const sum = counts.reduce((all, count) => all + count, Number(ofControlPlane));
  if (sum > limits.instances && counts.every((count) => count <= limits.instances))
    place.fault(`the cluster would have ${sum} machines; at most ${limits.instances} are allowed`);
}

/** The maximum number of machines, and how many more a rolling update creates, because the new machine comes first. */
function mostMachines(
  { replicas = 1 }: Fields,
  groups: readonly (readonly [string, unknown])[],
): { readonly machines: number; readonly ofUpdates: number } {
  const counts = groups.map(([, group]) => {
    const { replicas: count, autoscaling, maxSurge = 1 } = fields(group);
    const most = Number(count ?? fields(autoscaling)["max"] ?? 0);
    return [most, most === 0 ? 0 : Number(maxSurge)] as const;
  });
  const machines = counts.reduce((all, [most]) => all + most, Number(replicas));
  const ofUpdates = counts.reduce((all, [, surge]) => all + surge, 1);
  // too many machines, or a number that is none, are recorded elsewhere
  return machines <= limits.instances ? { machines, ofUpdates } : { machines: 0, ofUpdates: 0 };
}

function checkGroup(group: Fields, cluster: Fields, place: Place): void {
  const { flavor, replicas, autoscaling, kubernetesVersion: version, maxSurge, maxUnavailable } = group;
  const { min, max } = fields(autoscaling);
  if (flavor === undefined) place.get("flavor").fault("is required, there or under nodeGroup");
  if (replicas === undefined && autoscaling === undefined)
    place.get("replicas").fault("is required, there or under nodeGroup, or autoscaling instead");
  if (replicas !== undefined && autoscaling !== undefined)
    place.get("replicas").fault("is determined by cluster-autoscaler; remove this or autoscaling");
  if (Number(min) > Number(max))
    place.get("autoscaling", "min").fault(`${String(min)} is more than max ${String(max)}`);
  if (maxSurge === 0 && (maxUnavailable ?? 0) === 0)
    place
      .get("maxSurge")
      .fault("is 0, like maxUnavailable, so no machine could be replaced; raise one of them");
  checkAge(group, place);
  checkVolumes(group, place);
  checkVersion(text(version), text(cluster["kubernetesVersion"]), place.get("kubernetesVersion"));
}

/** Records volumes of a machine with equal names, by which CAPO identifies them. */
function checkVolumes({ volumes }: Fields, place: Place): void {
  const names = items(volumes).map((volume) => text(fields(volume)["name"]));
  names.forEach((name, i) => {
    if (name !== undefined && names.indexOf(name) < i)
      place.get("volumes", i, "name").fault(`"${name}" is also that of another volume`);
  });
}

/**
 * Records a Kubernetes version that is too old for vnfm.
 * @param machines the settings of a cluster, or of a node group
 */
function checkAge(machines: Fields, place: Place): void {
  const tooOld = tooOldProblem(text(machines["kubernetesVersion"]), "cluster-api");
  if (tooOld !== undefined) place.get("kubernetesVersion").fault(tooOld);
}

function checkVersion(version: string | undefined, ofCluster: string | undefined, place: Place): void {
  const [own, its] = [version, ofCluster].map(parseVersion);
  if (own === undefined || its === undefined) return;
  const problem = kubeletProblem(own, its);
  if (problem === "newer")
    place.fault(`${version} is newer than the control plane's ${ofCluster}, which must be upgraded first`);
  if (problem === "too old")
    place.fault(
      `${version} is more than ${KUBELET_MINORS_BEHIND} minor versions older than the control plane's ${ofCluster}`,
    );
}

/** @param hasCloudController whether Services get load balancers too, of the same provider */
function checkApi(
  api: Fields,
  { replicas }: Fields,
  network: Fields,
  hasCloudController: boolean,
  place: Place,
): void {
  const { loadBalancer, loadBalancerProvider, allowedCidrs, floatingIp, fixedIp, kubeVip } = api;
  if (kubeVip !== undefined) checkKubeVip(api, network, place);
  if (loadBalancer === false) {
    if (Number(replicas) > 1 && kubeVip === undefined)
      place
        .get("loadBalancer")
        .fault(
          `is required for the ${String(replicas)} machines of controlPlane.replicas, or kubeVip instead`,
        );
    if (loadBalancerProvider !== undefined && !hasCloudController)
      place.get("loadBalancerProvider").fault("there is no loadBalancer");
    if (allowedCidrs !== undefined) place.get("allowedCidrs").fault("there is no loadBalancer");
    // CAPO's controller of machines deletes the floating IP of a machine that goes, unless the settings name it
    if (floatingIp === undefined && network["externalNetwork"] !== undefined)
      place
        .get("floatingIp")
        .fault(
          "without loadBalancer, a new floating IP would be deleted with the first machine that is replaced, and the API would be lost; " +
            "set an existing address, or keep the loadBalancer",
        );
    if (floatingIp === false && fixedIp === undefined && kubeVip === undefined)
      place
        .get("fixedIp")
        .fault(
          "is required without loadBalancer and floatingIp: the address of the API, which kubeVip assigns to a machine " +
            "or which your own load balancer has",
        );
  }
  if (allowedCidrs !== undefined && loadBalancerProvider === "ovn")
    place.get("allowedCidrs").fault("Octavia's provider ovn has no such lists; remove them, or use amphora");
  const { network: existing, router } = network;
  if (allowedCidrs !== undefined && existing !== undefined && router === undefined && floatingIp !== false)
    place
      .get("allowedCidrs")
      .fault(
        "would block the cluster's own machines, which reach the floating IP from the address of their router; " +
          "set that router under network.router, and it is allowed",
      );
  if (network["externalNetwork"] === undefined && floatingIp !== false)
    place
      .get("floatingIp")
      .fault("without network.externalNetwork there is none; set false, or set that network");
}

function checkKeystone({ keystone, port }: Fields, place: Place): void {
  if (keystone !== undefined && Number(port) === KEYSTONE_AUTH_PORT)
    place.get("port").fault(`${KEYSTONE_AUTH_PORT} belongs to k8s-keystone-auth; use another one`);
}

/** Checks the address of kube-vip: it must be in the cluster's network, and Neutron must not assign it to a machine. */
function checkKubeVip({ loadBalancer, floatingIp, fixedIp }: Fields, network: Fields, place: Place): void {
  if (loadBalancer !== false) place.get("loadBalancer").fault("kubeVip replaces it; set false");
  if (floatingIp !== false)
    place.get("floatingIp").fault("kubeVip has an address only in the cluster's network; set false");
  const address = text(fixedIp);
  const ofFixed = place.get("fixedIp");
  if (address === undefined)
    ofFixed.fault("is required with kubeVip: a free address in the cluster's network");
  else if (network["network"] === undefined) {
    const { nodeCidr = NODE_CIDR, allocationPools: pools } = network;
    if (!isIn(address, String(nodeCidr))) ofFixed.fault(`${address} is not in nodeCidr ${String(nodeCidr)}`);
    const isGivenOut = items(pools).some((pool) => {
      const { start, end } = fields(pool);
      return isBetween(address, String(start), String(end));
    });
    if (pools === undefined || isGivenOut)
      ofFixed.fault(
        `Neutron may assign ${address} to a machine; exclude it from network.allocationPools, which must be set`,
      );
  }
}
