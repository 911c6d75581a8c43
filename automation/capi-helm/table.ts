import { CLUSTER, CREDENTIAL, KUBEADM, RULES } from "../capo/table";
import { metadata } from "../conversion/machine-readers";
import {
  boolean,
  duration,
  ingressRules,
  kubernetesVersion,
  loadBalancerProvider,
  number,
  ofCloud,
  same,
  texts,
  unhealthyTimeout,
  whenFalse,
  word,
} from "../conversion/readers";
import { below, needless, type Row } from "../conversion/taken";
import {
  admission,
  blockDevice,
  blockDevices,
  certificates,
  machineImage,
  mirrors,
  ports,
  rootVolume,
} from "./readers";

/**
 * The values of the chart openstack-cluster of capi-helm-charts, and the corresponding settings of a cluster.
 * @see https://github.com/azimuth-cloud/capi-helm-charts, charts/openstack-cluster/values.yaml
 */

const ADDON = "list charts of the cluster under `addons`, each with its version and values";
const GROUP = "a server group is created from its policy, as in `serverGroup: soft-anti-affinity`";

/** Values of the control plane and of each node group. */
const MACHINES: readonly Row[] = [
  { at: "machineFlavor", to: "flavor", read: word },
  { at: "machineImage", to: "image", read: machineImage },
  { at: "machineImageId", to: "image", read: word },
  { at: "kubernetesVersion", to: "kubernetesVersion", read: kubernetesVersion },
  { at: "machineRootVolume", to: "rootVolume", read: rootVolume },
  { at: "additionalBlockDevices", to: "volumes", read: blockDevices },
  { at: "machineNetworking.ports", to: "additionalPorts", read: ports },
  { at: "machineMetadata", to: "metadata", read: metadata },
  { at: "machineConfigDrive", to: "configDrive", read: boolean },
  { at: "serverGroupId", why: GROUP },
  ...["nodeDrainTimeout", "nodeVolumeDetachTimeout", "nodeDeletionTimeout"].map((key) => ({
    ...{ at: key, to: key, read: duration },
  })),
  { at: "healthCheck.enabled", to: "healthCheck.enabled", read: boolean },
  { at: "healthCheck.spec.maxUnhealthy", to: "healthCheck.maxUnhealthy", read: word },
  { at: "healthCheck.spec.nodeStartupTimeout", to: "healthCheck.nodeStartupTimeout", read: duration },
  { at: "healthCheck.spec.unhealthyConditions", to: "healthCheck.unhealthyTimeout", read: unhealthyTimeout },
  needless("rolloutStrategy.type"),
  ...below("kubeadmConfigSpec", KUBEADM),
];

export const CONTROL_PLANE: readonly Row[] = [
  ...MACHINES,
  { at: "machineCount", to: "replicas", read: number },
  // they apply only with omitFailureDomain: false
  { at: "failureDomains", to: "availabilityZones", read: texts },
  needless("omitFailureDomain"),
  { at: "certificatesExpiryDays", to: "certificatesExpiryDays", read: number },
  { at: "nodeLabels", why: "there is no setting for labels of control-plane nodes" },
  { at: "remediationStrategy", why: "is Cluster API's default; remediation can be set with `patches`" },
  {
    at: "rolloutStrategy.rollingUpdate.maxSurge",
    why: "a new machine is created before an old one is deleted",
    usual: [1, "1"],
  },
  { at: "kubeadmConfigSpec.kubeProxyConfiguration", to: "kubeadm.kubeProxyConfiguration", read: same },
];

export const GROUPS: readonly Row[] = [
  ...MACHINES,
  needless("name"),
  { at: "machineCount", to: "replicas", read: number },
  { at: "autoscale", to: "autoscale", read: boolean },
  { at: "machineCountMin", to: "min", read: number },
  { at: "machineCountMax", to: "max", read: number },
  { at: "failureDomain", to: "availabilityZone", read: word },
  { at: "nodeLabels", to: "labels", read: metadata },
  { at: "rolloutStrategy.rollingUpdate.maxSurge", to: "maxSurge", read: number },
  { at: "rolloutStrategy.rollingUpdate.maxUnavailable", to: "maxUnavailable", read: number },
  {
    at: "rolloutStrategy.rollingUpdate.deletePolicy",
    why: "Cluster API chooses the machine at random",
    usual: ["Random"],
  },
];

/** Settings of the whole cluster that the chart has among the values of the control plane, or of a group. */
const OF_CLUSTER = ["kubeadm", "apiServer", "image", "kubernetesVersion"];

function placedBelow(part: string): (row: Row) => Row {
  return (row) => {
    if (!("to" in row)) return row;
    const [first = ""] = row.to.split(".");
    const isOfCluster = part === "controlPlane" && OF_CLUSTER.includes(first);
    return { ...row, to: isOfCluster ? row.to : `${part}.${row.to}` };
  };
}

const network = (at: string, to: string): Row => ({
  at: `clusterNetworking.${at}`,
  to: `network.${to}`,
  read: ofCloud,
});

export const VALUES: readonly Row[] = [
  ...["cloudCredentialsSecretName", "clouds", "cloudCACert"].map((at) => ({ at, why: CREDENTIAL })),
  needless("cloudName"),
  { at: "kubernetesVersion", to: "kubernetesVersion", read: kubernetesVersion },
  { at: "machineImage", to: "image", read: machineImage },
  { at: "machineImageId", to: "image", read: word },
  { at: "machineSSHKeyName", to: "sshKeyName", read: word },
  { at: "machineMetadata", to: "controlPlane.metadata", read: metadata },
  { at: "machineMetadata", to: "nodeGroup.metadata", read: metadata },
  needless("projectPrefix"),
  {
    at: "clusterAnnotations",
    why: "there is no setting for annotations of the Cluster; set them with `patches`",
  },
  ...["issuerUrl", "clientId", "usernameClaim", "usernamePrefix", "groupsClaim", "groupsPrefix"].map(
    (key) => ({
      ...{ at: `oidc.${key}`, to: `apiServer.oidc.${key}`, read: word },
    }),
  ),
  {
    at: "oidc.signingAlgs",
    why: "tokens are signed with RS256; set others as oidc-signing-algs under `apiServer.extraArgs`",
    usual: ["RS256"],
  },
  ...CLUSTER.filter(({ at }) => at.startsWith("spec.clusterNetwork.")).map((row) => ({
    ...{ ...row, at: row.at.replace("spec.clusterNetwork.", "kubeNetwork.") },
  })),
  network("externalNetworkId", "externalNetwork"),
  network("internalNetwork.networkFilter", "network"),
  network("internalNetwork.subnetFilter", "subnet"),
  { at: "clusterNetworking.internalNetwork.nodeCidr", to: "network.nodeCidr", read: word },
  ...["dnsNameservers", "internalNetwork.dnsNameservers"].map((key) => ({
    ...{ at: `clusterNetworking.${key}`, to: "network.dnsNameservers", read: texts },
  })),
  needless("clusterNetworking.disableExternalNetwork"),
  { at: "clusterNetworking.manageSecurityGroups", why: "security groups are always created", usual: [true] },
  {
    at: "clusterNetworking.allowAllInClusterTraffic",
    why: "machines of the cluster reach each other with all protocols",
    usual: [true],
  },
  { at: "clusterNetworking.allNodesSecurityGroupRules", to: "network.ingressRules", read: ingressRules },
  ...["workerNodesSecurityGroupRules", "controlPlaneNodesSecurityGroupRules"].map((key) => ({
    ...{ at: `clusterNetworking.${key}`, why: RULES },
  })),
  { at: "registryMirrors", to: "registryMirrors", read: mirrors },
  { at: "trustedCAs", to: "trustedCertificates", read: certificates },
  {
    at: "additionalPackages",
    why: "belongs in the machines' image, or in commands of `kubeadm.preKubeadmCommands`",
  },
  needless("etcd.dataDir"),
  { at: "etcd.blockDevice", to: "controlPlane.etcdVolume", read: blockDevice },
  { at: "etcd.extraArgs", why: "change clusterConfiguration.etcd of the KubeadmControlPlane by `patches`" },
  { at: "etcd.encryption.enabled", why: "set a key under `apiServer.encryptionKeys`", usual: [false] },
  needless("etcd.encryption.resources"),
  needless("etcd.encryption.provider"),
  { at: "apiServer.enableLoadBalancer", to: "apiServer.loadBalancer", read: boolean },
  { at: "apiServer.loadBalancerProvider", to: "apiServer.loadBalancerProvider", read: loadBalancerProvider },
  ...["allowedCidrs", "allowedCIDRs"].map((key) => ({
    ...{ at: `apiServer.${key}`, to: "apiServer.allowedCidrs", read: texts },
  })),
  { at: "apiServer.associateFloatingIP", to: "apiServer.floatingIp", read: whenFalse(false) },
  { at: "apiServer.floatingIP", to: "apiServer.floatingIp", read: word },
  { at: "apiServer.fixedIP", to: "apiServer.fixedIp", read: word },
  { at: "apiServer.port", to: "apiServer.port", read: number },
  { at: "apiServer.logLevel", why: "set it as `v` under `apiServer.extraArgs`", usual: [2] },
  { at: "apiServer.admissionConfiguration", to: "apiServer.admissionConfiguration", read: admission },
  {
    at: "osDistro",
    why: "machines are bootstrapped by cloud-init: use an image that has it",
    usual: ["ubuntu"],
  },
  { at: "authWebhook", why: "set access for Keystone users under `apiServer.keystone`", usual: ["none"] },
  needless("azimuthAuthorizationWebhook"),
  ...below("controlPlane", CONTROL_PLANE).map(placedBelow("controlPlane")),
  ...below("nodeGroupDefaults", GROUPS).map(placedBelow("nodeGroup")),
  // GROUPS reads each of them
  needless("nodeGroups"),
  {
    at: "autoscaler",
    why: "`autoscaler.image` sets the image, by default that of the version of Kubernetes",
  },
  { at: "addons", why: ADDON },
  { at: "etcdDefrag", why: ADDON },
];
