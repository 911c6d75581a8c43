import { isKeptByClusterApi, readNodeLabels, writeNodeLabels } from "../../kube/cluster/node-labels";
import { toYaml } from "../../base/yaml/yaml";
import {
  API_SERVER_PORT,
  fileVolume,
  securityConfig,
  type NodeFile,
  type SecurityConfig,
} from "../../kube/cluster/control-plane";
import type { Fields } from "../../kube/objects/object";
import type {
  ApiServer,
  ClusterSettings,
  ControlPlane,
  NodeGroup,
  OpenIdConnect,
  Taint,
} from "../../settings/model";
import { keystoneAuth, keystoneAuthConfig } from "./keystone-auth";
import { kubeVip } from "./kube-vip";
import { filesOf, onFirstMachine, type MachineFiles } from "./machine-files";

/** Where kube-proxy's additions stand on a machine until they are added to kubeadm's own configuration. */
const KUBE_PROXY = "/etc/kubernetes-kube-proxy.yaml";
const OIDC_CA = "/etc/kubernetes/oidc-ca.crt";
/** Where kubeadm finds what to add to the configuration that it writes for a machine. */
const PATCHES = "/etc/kubernetes/patches";
/** Where kubeadm has etcd's data by itself. */
const ETCD_DATA = "/var/lib/etcd";
/** Where the volume for etcd is mounted. The folder in it has no `lost+found`, which etcd refuses. */
const ETCD_MOUNT = "/var/lib/etcd-volume";

/** The kubeadmConfigSpec of the control plane. */
export function controlPlaneConfig(settings: ClusterSettings, secrets: MachineFiles): Fields {
  const { kubeadm, controlPlane } = settings;
  const { kubeProxyConfiguration: kubeProxy } = kubeadm;
  const programs = [kubeVip(settings), keystoneAuth(settings.apiServer)];
  const listens = localEndpoint(settings.apiServer);
  const { etcdVolume } = controlPlane;
  const nodeRegistration = registration(settings, controlPlane);
  const security = securityOf(settings);
  const api = apiServerConfig(settings, security.apiServer);
  const patch = kubeletPatch(security);
  const patches = patch.length > 0 && { patches: { directory: PATCHES } };
  const files = [
    ...api.files,
    ...security.nodeFiles,
    ...patch,
    ...(kubeProxy ? [kubeProxyFile(kubeProxy)] : []),
    ...programs.flatMap((program) => program.files),
  ];
  const before = [
    // the others take kube-proxy's configuration from the cluster
    ...(kubeProxy ? [onFirstMachine(`cat ${KUBE_PROXY} >>/run/kubeadm/kubeadm.yaml`)] : []),
    ...programs.flatMap((program) => program.before),
  ];
  const after = programs.flatMap((program) => program.after);
  const clusterConfiguration = {
    ...(api.config && { apiServer: api.config }),
    ...componentConfig("controllerManager", security.controllerManagerArgs),
    ...componentConfig("scheduler", security.schedulerArgs),
    // never left out: Cluster API lets nobody take out the whole of clusterConfiguration, so that without it the last of
    // the settings above could not be taken back
    etcd: { local: { dataDir: etcdVolume ? `${ETCD_MOUNT}/etcd` : ETCD_DATA } },
  };
  return {
    clusterConfiguration,
    initConfiguration: {
      nodeRegistration,
      ...listens,
      ...patches,
      ...(kubeadm.skipPhases.length > 0 && { skipPhases: kubeadm.skipPhases }),
    },
    joinConfiguration: { nodeRegistration, ...patches, ...(listens && { controlPlane: listens }) },
    ...(etcdVolume && {
      diskSetup: {
        filesystems: [{ device: etcdVolume.device, filesystem: "ext4", label: "etcd", overwrite: false }],
      },
      mounts: [["LABEL=etcd", ETCD_MOUNT]],
    }),
    ...filesOf(settings, secrets, { files, before, after, controlPlane: true }),
  };
}

/**
 * Where kube-apiserver of a machine listens. CAPO's load balancer has the port of the API for its members too. Undefined:
 * kubeadm's own default, which is left out, as a control plane is rolled out anew when something is added to this spec.
 */
function localEndpoint({ port }: ApiServer): Fields | undefined {
  return port === API_SERVER_PORT ? undefined : { localAPIEndpoint: { bindPort: port } };
}

/** The spec of the KubeadmConfigTemplate of a node group. */
export function workerConfig(settings: ClusterSettings, group: NodeGroup, secrets: MachineFiles): Fields {
  const security = securityOf(settings);
  const patch = kubeletPatch(security);
  return {
    joinConfiguration: {
      nodeRegistration: registration(settings, group),
      ...(patch.length > 0 && { patches: { directory: PATCHES } }),
    },
    ...filesOf(settings, secrets, {
      files: [...security.nodeFiles, ...patch],
      before: [],
      after: [],
      controlPlane: false,
    }),
  };
}

function componentConfig(component: string, args: Readonly<Record<string, string>>): Fields {
  return Object.keys(args).length === 0 ? {} : { [component]: { extraArgs: argList(args) } };
}

function kubeProxyFile(additions: Fields) {
  const configuration = {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    ...additions,
  };
  return { path: KUBE_PROXY, permissions: "0644", content: `---\n${toYaml(configuration)}` };
}

/** What kubeadm is told of kube-apiserver, and the files that it reads. */
function apiServerConfig({ apiServer }: ClusterSettings, security: SecurityConfig["apiServer"]) {
  const { certSans, oidc, extraArgs } = apiServer;
  const keystone = keystoneAuthConfig(apiServer);
  const args: Record<string, string> = {
    ...(oidc && oidcArgs(oidc)),
    ...keystone.args,
    ...security.args,
    ...extraArgs,
  };
  const volumes = [
    ...security.volumes,
    ...(oidc?.ca === undefined ? [] : [fileVolume("oidc-ca", OIDC_CA)]),
    ...keystone.volumes,
  ];
  const config = {
    ...(certSans && { certSANs: certSans }),
    ...(Object.keys(args).length > 0 && { extraArgs: argList(args) }),
    ...(volumes.length > 0 && { extraVolumes: volumes }),
  };
  return {
    config: Object.keys(config).length > 0 ? config : undefined,
    files: [
      ...security.files,
      ...(oidc?.ca === undefined ? [] : [{ path: OIDC_CA, permissions: "0644", content: oidc.ca }]),
    ],
  };
}

function securityOf({ apiServer, hardening }: ClusterSettings): SecurityConfig {
  const { oidc, extraArgs, encryptionKeys } = apiServer;
  const otherArgs = Object.keys({ ...(oidc && oidcArgs(oidc)), ...extraArgs });
  return securityConfig({ ...apiServer, hardening, isEncrypted: encryptionKeys !== undefined, otherArgs });
}

/** A patch of the KubeletConfiguration that kubeadm writes; none where there is nothing to add. */
function kubeletPatch({ kubelet }: SecurityConfig): NodeFile[] {
  if (Object.keys(kubelet).length === 0) return [];
  const path = `${PATCHES}/kubeletconfiguration+merge.yaml`;
  return [{ path, permissions: "0600", content: toYaml(kubelet) }];
}

function oidcArgs(oidc: OpenIdConnect): Record<string, string> {
  const args = {
    "oidc-issuer-url": oidc.issuerUrl,
    "oidc-client-id": oidc.clientId,
    "oidc-username-claim": oidc.usernameClaim,
    "oidc-username-prefix": oidc.usernamePrefix,
    "oidc-groups-claim": oidc.groupsClaim,
    "oidc-groups-prefix": oidc.groupsPrefix,
    "oidc-ca-file": oidc.ca === undefined ? undefined : OIDC_CA,
  };
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** How the kubelet of a machine registers its node. */
function registration(settings: ClusterSettings, its: ControlPlane | NodeGroup): Fields {
  const { kubeadm, addons } = settings;
  const labels = kubeletLabels(settings, its);
  const args: Record<string, string> = {
    ...kubeadm.kubeletExtraArgs,
    // the cloud controller manager says which server a node is; where there is none, the kubelet does
    ...(addons["openstack-cloud-controller-manager"] === undefined
      ? { "provider-id": "openstack:///'{{ instance_id }}'" }
      : { "cloud-provider": "external" }),
    ...(Object.keys(labels).length > 0 && { "node-labels": writeNodeLabels(labels) }),
  };
  return {
    name: "{{ local_hostname }}",
    criSocket: "unix:///run/containerd/containerd.sock",
    imagePullPolicy: "IfNotPresent",
    ...(kubeadm.ignorePreflightErrors.length > 0 && { ignorePreflightErrors: kubeadm.ignorePreflightErrors }),
    kubeletExtraArgs: argList(args),
    ...(its.taints && { taints: its.taints.map(taint) }),
  };
}

/** Arguments as kubeadm has them, by name. */
function argList(args: Readonly<Record<string, string>>): Fields[] {
  return Object.entries(args)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
}

function taint({ key, value, effect }: Taint): Fields {
  return { key, effect, ...(value !== undefined && { value }) };
}

/** Labels of a node group that Cluster API gives its nodes. */
export function nodeLabels({ labels = {} }: NodeGroup): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => isKeptByClusterApi(key)));
}

/** Labels that the kubelet gives its node once, when it registers; those of the group win over those of all machines. */
export function kubeletLabels(
  { kubeadm }: ClusterSettings,
  its: ControlPlane | NodeGroup,
): Record<string, string> {
  const { labels = {} } = "labels" in its ? its : {};
  const own = Object.entries(labels).filter(([key]) => !isKeptByClusterApi(key));
  return {
    ...readNodeLabels(kubeadm.kubeletExtraArgs["node-labels"] ?? ""),
    ...(Object.fromEntries(own) as Record<string, string>),
  };
}
