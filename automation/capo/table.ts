import { below, needless, type Row } from "../conversion/taken";
import {
  etcdVolume,
  files,
  furtherPorts,
  metadata,
  rootVolume,
  volumes,
} from "../conversion/machine-readers";
import {
  boolean,
  duration,
  ingressRules,
  kubeletArguments,
  kubernetesVersion,
  labelsOfKubelet,
  labelsOfMachines,
  loadBalancerProvider,
  number,
  ofCloud,
  only,
  patchedArguments,
  same,
  serverArguments,
  texts,
  unhealthyTimeout,
  whenFalse,
  whenTrue,
  word,
} from "../conversion/readers";

/**
 * The fields of the objects of a cluster of Cluster API and of its provider for OpenStack (CAPO), in all versions of
 * its templates, and the corresponding settings of a cluster.
 * @see https://cluster-api.sigs.k8s.io/reference/api/crd-reference
 * @see https://cluster-api-openstack.sigs.k8s.io/api/v1beta1/api
 */

/** Reasons why fields of CAPO's objects, and values of charts for it, have no setting. */
export const CREDENTIAL = "the cluster gets its own application credential: see `credential`";
export const RULES = "rules apply to all machines: write them as `network.ingressRules`";

/** Rows of each object. */
export const OF_OBJECTS: readonly Row[] = [
  ...["apiVersion", "kind", "status"].map(needless),
  ...["name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"].map(
    (key) => needless(`metadata.${key}`),
  ),
  ...["ownerReferences", "finalizers", "selfLink"].map((key) => needless(`metadata.${key}`)),
  needless("metadata.annotations.kubectl.kubernetes.io/last-applied-configuration"),
  needless("metadata.labels.cluster.x-k8s.io/cluster-name"),
];

export const CLUSTER: readonly Row[] = [
  { at: "spec.clusterNetwork.pods.cidrBlocks", to: "network.podCidr", read: only(word, "blocks") },
  { at: "spec.clusterNetwork.services.cidrBlocks", to: "network.serviceCidr", read: only(word, "blocks") },
  {
    at: "spec.clusterNetwork.serviceDomain",
    why: "the domain of Services is cluster.local",
    usual: ["cluster.local"],
  },
  { at: "spec.clusterNetwork.apiServerPort", to: "apiServer.port", read: number },
  {
    at: "spec.controlPlaneEndpoint",
    why: "the address of the API is `apiServer.floatingIp` or `apiServer.fixedIp`",
  },
  ...["spec.controlPlaneRef", "spec.infrastructureRef"].map(needless),
  { at: "spec.paused", why: "a new cluster is not paused", usual: [false] },
];

/** Rows about the API's address, with the field names of all versions of CAPO. */
const apiRows = (
  rows: Readonly<Record<string, Pick<Extract<Row, { to: string }>, "to" | "read">>>,
): readonly Row[] => Object.entries(rows).map(([at, row]) => ({ at: `spec.${at}`, ...row }));

const loadBalancer = { to: "apiServer.loadBalancer", read: boolean };
const floatingIp = { to: "apiServer.floatingIp", read: word };
const port = { to: "apiServer.port", read: number };

const balancerRows = (at: string): readonly Row[] => [
  { at: `spec.${at}.enabled`, ...loadBalancer },
  { at: `spec.${at}.allowedCIDRs`, to: "apiServer.allowedCidrs", read: texts },
  { at: `spec.${at}.provider`, to: "apiServer.loadBalancerProvider", read: loadBalancerProvider },
];

export const OPENSTACK_CLUSTER: readonly Row[] = [
  ...["externalNetwork", "externalNetworkId"].map((at) => ({
    ...{ at: `spec.${at}`, to: "network.externalNetwork", read: ofCloud },
  })),
  needless("spec.disableExternalNetwork"),
  needless("spec.enableExternalNetwork"),
  { at: "spec.network", to: "network.network", read: ofCloud },
  { at: "spec.subnet", to: "network.subnet", read: ofCloud },
  { at: "spec.subnets", to: "network.subnet", read: only(ofCloud, "subnets") },
  { at: "spec.router", to: "network.router", read: ofCloud },
  { at: "spec.nodeCidr", to: "network.nodeCidr", read: word },
  { at: "spec.dnsNameservers", to: "network.dnsNameservers", read: texts },
  { at: "spec.managedSubnets.0.cidr", to: "network.nodeCidr", read: word },
  { at: "spec.managedSubnets.0.dnsNameservers", to: "network.dnsNameservers", read: texts },
  { at: "spec.managedSubnets.0.allocationPools", to: "network.allocationPools", read: same },
  { at: "spec.networkMTU", to: "network.mtu", read: number },
  { at: "spec.managedNetwork.mtu", to: "network.mtu", read: number },
  ...apiRows({
    managedAPIServerLoadBalancer: loadBalancer,
    apiServerFloatingIP: floatingIp,
    apiServerLoadBalancerFloatingIP: floatingIp,
    "apiServer.floatingIP": floatingIp,
    disableAPIServerFloatingIP: { ...floatingIp, read: whenTrue(false) },
    "apiServer.enableFloatingIP": { ...floatingIp, read: whenFalse(false) },
    apiServerFixedIP: { to: "apiServer.fixedIp", read: word },
    "apiServer.fixedIP": { to: "apiServer.fixedIp", read: word },
    apiServerPort: port,
    apiServerLoadBalancerPort: port,
    "apiServer.port": port,
  }),
  ...balancerRows("apiServerLoadBalancer"),
  ...balancerRows("apiServer.managedLoadBalancer"),
  { at: "spec.useOctavia", why: "load balancers are created by Octavia", usual: [true] },
  { at: "spec.controlPlaneAvailabilityZones", to: "controlPlane.availabilityZones", read: texts },
  needless("spec.controlPlaneOmitAvailabilityZone"),
  needless("spec.bastion.enabled"),
  { at: "spec.bastion.availabilityZone", to: "network.bastion.availabilityZone", read: word },
  ...["spec.bastion.spec", "spec.bastion.instance"].flatMap((at): Row[] => [
    { at: `${at}.flavor`, to: "network.bastion.flavor", read: ofCloud },
    { at: `${at}.image`, to: "network.bastion.image", read: ofCloud },
    // the key pair of all machines
    needless(`${at}.sshKeyName`),
  ]),
  {
    at: "spec.managedSecurityGroups.allowAllInClusterTraffic",
    why: "machines of the cluster reach each other with all protocols",
    usual: [true],
  },
  ...["allNodesSecurityGroupRules", "clusterNodesSecurityGroupRules"].map((key) => ({
    ...{ at: `spec.managedSecurityGroups.${key}`, to: "network.ingressRules", read: ingressRules },
  })),
  ...["controlPlaneNodesSecurityGroupRules", "workerNodesSecurityGroupRules"].map((key) => ({
    ...{ at: `spec.managedSecurityGroups.${key}`, why: RULES },
  })),
  { at: "spec.managedSecurityGroups", why: "security groups are always created", usual: [true] },
  { at: "spec.disablePortSecurity", why: "ports of machines always have port security", usual: [false] },
  { at: "spec.disableServerTags", isNeedless: true },
  ...["spec.identityRef", "spec.cloudName", "spec.cloudsSecret"].map((at) => ({ at, why: CREDENTIAL })),
];

/** Rows about time limits for deleting a machine of a KubeadmControlPlane or a MachineDeployment. */
const deletionRows = (at: string): readonly Row[] =>
  ["nodeDrainTimeout", "nodeVolumeDetachTimeout", "nodeDeletionTimeout"].flatMap((key): Row[] => [
    { at: `${at}.${key}`, to: key, read: duration },
    { at: `${at}.deletion.${key}Seconds`, to: key, read: duration },
  ]);

const registration = (at: string): readonly Row[] => [
  { at: `${at}.name`, why: "a node has the same name as its server", usual: ["{{ local_hostname }}"] },
  needless(`${at}.criSocket`),
  needless(`${at}.imagePullPolicy`),
  { at: `${at}.kubeletExtraArgs`, to: "kubeadm.kubeletExtraArgs", read: kubeletArguments },
  { at: `${at}.kubeletExtraArgs`, to: "labels", read: labelsOfKubelet },
  { at: `${at}.ignorePreflightErrors`, to: "kubeadm.ignorePreflightErrors", read: texts },
  { at: `${at}.taints`, to: "taints", read: same },
];

const OF_IMAGE = "belongs in the machines' image, or in commands of `kubeadm.preKubeadmCommands`";

/** Rows of a kubeadm configuration, for the control plane or workers. */
export const KUBEADM: readonly Row[] = [
  ...["initConfiguration", "joinConfiguration"].flatMap((at) => registration(`${at}.nodeRegistration`)),
  { at: "initConfiguration.skipPhases", to: "kubeadm.skipPhases", read: texts },
  ...["initConfiguration.localAPIEndpoint", "joinConfiguration.controlPlane.localAPIEndpoint"].map((at) =>
    // the port is apiServer.port
    needless(`${at}.bindPort`),
  ),
  { at: "clusterConfiguration.apiServer.certSANs", to: "apiServer.certSans", read: texts },
  { at: "clusterConfiguration.apiServer.extraArgs", to: "apiServer.extraArgs", read: serverArguments },
  ...["controllerManager", "scheduler", "etcd.local"].map((component) => ({
    ...{ at: `clusterConfiguration.${component}.extraArgs`, to: "patches", read: patchedArguments },
  })),
  {
    at: "clusterConfiguration.etcd.local.dataDir",
    why: "etcd is in /var/lib/etcd, or on `controlPlane.etcdVolume`",
    usual: ["/var/lib/etcd", "/var/lib/etcd-volume/etcd"],
  },
  needless("clusterConfiguration.controlPlaneEndpoint"),
  needless("clusterConfiguration.clusterName"),
  {
    at: "clusterConfiguration.imageRepository",
    why: "kubeadm pulls its images from registry.k8s.io: set a mirror of it under `registryMirrors`",
    usual: ["registry.k8s.io", "k8s.gcr.io"],
  },
  { at: "files", to: "kubeadm.files", read: files, readsVariables: true },
  { at: "preKubeadmCommands", to: "kubeadm.preKubeadmCommands", read: texts },
  { at: "postKubeadmCommands", to: "kubeadm.postKubeadmCommands", read: texts },
  {
    at: "users",
    why: "machines use the key of `sshKeyName`; create further users in the image or by commands",
  },
  { at: "ntp", why: OF_IMAGE },
  {
    at: "format",
    why: "machines are bootstrapped by cloud-init: use an image that has it",
    usual: ["cloud-config"],
  },
  { at: "ignition", why: "machines are bootstrapped by cloud-init, with `kubeadm.files` and commands" },
  ...["diskSetup", "mounts"].map((at) => ({
    ...{ at, why: "volumes of `controlPlane.etcdVolume` are mounted; mount others by commands" },
  })),
  needless("useExperimentalRetryJoin"),
];

export const CONTROL_PLANE: readonly Row[] = [
  { at: "spec.replicas", to: "replicas", read: number },
  { at: "spec.version", to: "kubernetesVersion", read: kubernetesVersion },
  ...["spec.rolloutBefore", "spec.rollout.before"].map((at) => ({
    ...{ at: `${at}.certificatesExpiryDays`, to: "certificatesExpiryDays", read: number },
  })),
  ...["spec.rolloutStrategy", "spec.rollout.strategy"].flatMap((at): Row[] => [
    needless(`${at}.type`),
    {
      at: `${at}.rollingUpdate.maxSurge`,
      why: "a new machine is created before an old one is deleted",
      usual: [1, "1"],
    },
  ]),
  ...["spec.infrastructureTemplate", "spec.machineTemplate.infrastructureRef"].map(needless),
  needless("spec.machineTemplate.spec.infrastructureRef"),
  ...deletionRows("spec.machineTemplate"),
  ...deletionRows("spec.machineTemplate.spec"),
  ...below("spec.kubeadmConfigSpec", KUBEADM),
];

const RANGE = "metadata.annotations.cluster.x-k8s.io/cluster-api-autoscaler-node-group";

export const DEPLOYMENT: readonly Row[] = [
  { at: "spec.replicas", to: "replicas", read: number },
  { at: `${RANGE}-min-size`, to: "autoscaling.min", read: number },
  { at: `${RANGE}-max-size`, to: "autoscaling.max", read: number },
  ...["labels", "taints"].map((key) =>
    needless(`metadata.annotations.capacity.cluster-autoscaler.kubernetes.io/${key}`),
  ),
  needless("spec.clusterName"),
  needless("spec.selector"),
  ...["spec.strategy", "spec.rollout.strategy"].flatMap((at): Row[] => [
    needless(`${at}.type`),
    { at: `${at}.rollingUpdate.maxSurge`, to: "maxSurge", read: number },
    { at: `${at}.rollingUpdate.maxUnavailable`, to: "maxUnavailable", read: number },
  ]),
  { at: "spec.template.metadata.labels", to: "labels", read: labelsOfMachines },
  { at: "spec.template.spec.version", to: "kubernetesVersion", read: kubernetesVersion },
  { at: "spec.template.spec.failureDomain", to: "availabilityZone", read: word },
  ...["clusterName", "bootstrap", "infrastructureRef"].map((key) => needless(`spec.template.spec.${key}`)),
  ...deletionRows("spec.template.spec"),
  needless("spec.remediation.maxInFlight"),
];

/** Rows below `spec.template.spec` of an OpenStackMachineTemplate. */
export const MACHINE: readonly Row[] = [
  { at: "flavor", to: "flavor", read: ofCloud },
  { at: "flavorID", why: "is the id of a flavor: write its name as `flavor`" },
  { at: "image", to: "image", read: ofCloud },
  { at: "imageUUID", to: "image", read: word },
  { at: "sshKeyName", to: "sshKeyName", read: word },
  { at: "rootVolume", to: "rootVolume", read: rootVolume },
  { at: "additionalBlockDevices", to: "volumes", read: volumes },
  { at: "additionalBlockDevices", to: "etcdVolume", read: etcdVolume },
  { at: "ports", to: "additionalPorts", read: furtherPorts },
  { at: "serverMetadata", to: "metadata", read: metadata },
  { at: "tags", to: "tags", read: texts },
  { at: "configDrive", to: "configDrive", read: boolean },
  {
    at: "serverGroup",
    why: "a server group is created from its policy, as in `serverGroup: soft-anti-affinity`",
  },
  {
    at: "serverGroupID",
    why: "a server group is created from its policy, as in `serverGroup: soft-anti-affinity`",
  },
  {
    at: "securityGroups",
    why: "machines have the security groups that are created for the cluster: see `network.ingressRules`",
  },
  {
    at: "trunk",
    why: "the port on the cluster's network cannot be a trunk; ports of `additionalPorts` can",
    usual: [false],
  },
  ...["identityRef", "cloudName", "cloudsSecret", "providerID"].map(needless),
];

export const HEALTH_CHECK: readonly Row[] = [
  needless("spec.clusterName"),
  needless("spec.selector"),
  { at: "spec.maxUnhealthy", to: "maxUnhealthy", read: word },
  { at: "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo", to: "maxUnhealthy", read: word },
  { at: "spec.nodeStartupTimeout", to: "nodeStartupTimeout", read: duration },
  { at: "spec.checks.nodeStartupTimeoutSeconds", to: "nodeStartupTimeout", read: duration },
  { at: "spec.unhealthyConditions", to: "unhealthyTimeout", read: unhealthyTimeout },
  { at: "spec.checks.unhealthyNodeConditions", to: "unhealthyTimeout", read: unhealthyTimeout },
];
