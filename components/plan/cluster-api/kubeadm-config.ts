import { isKeptByClusterApi, readNodeLabels, writeNodeLabels } from "../../kube/cluster/node-labels";
import { toYaml } from "../../base/yaml/yaml";
import {
  API_SERVER_PORT,
  securityConfig,
  type NodeFile,
  type SecurityConfig,
} from "../../kube/cluster/control-plane";
import type { Fields } from "../../kube/objects/object";
import type { ApiServer, ClusterSettings, ControlPlane, NodeGroup, Taint } from "../../settings/model";
import { kubeVip } from "./kube-vip";
import { filesOf, onFirstMachine, type Additions, type MachineFiles } from "./machine-files";

/** Path of kube-proxy's additions on a machine until they are appended to kubeadm's configuration. */
const KUBE_PROXY = "/etc/kubernetes-kube-proxy.yaml";
/** Folder of kubeadm's patches for the configuration that it writes for a machine. */
const PATCHES = "/etc/kubernetes/patches";
/** Kubeadm's default for the data of etcd. */
const ETCD_DATA = "/var/lib/etcd";
/** Mount point of the volume for etcd. etcd uses a folder in it, as it refuses one with `lost+found`. */
const ETCD_MOUNT = "/var/lib/etcd-volume";

/** The kubeadmConfigSpec of the control plane. */
export function controlPlaneConfig(settings: ClusterSettings, secrets: MachineFiles): Fields {
  const { kubeadm, controlPlane } = settings;
  const { kubeProxyConfiguration: kubeProxy } = kubeadm;
  const { keystoneAuth } = secrets;
  const programs: Additions[] = [
    kubeVip(settings),
    ...(keystoneAuth
      ? [
          {
            files: [...keystoneAuth.files, keystoneAuth.webhook, keystoneAuth.pod],
            ...{ before: [keystoneAuth.before], after: [keystoneAuth.after] },
          },
        ]
      : []),
  ];
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
    // further machines take kube-proxy's configuration from the cluster
    ...(kubeProxy ? [onFirstMachine(`cat ${KUBE_PROXY} >>/run/kubeadm/kubeadm.yaml`)] : []),
    ...programs.flatMap((program) => program.before),
  ];
  const after = programs.flatMap((program) => program.after);
  const clusterConfiguration = {
    ...(api.config && { apiServer: api.config }),
    ...componentConfig("controllerManager", security.controllerManagerArgs),
    ...componentConfig("scheduler", security.schedulerArgs),
    // always written: Cluster API refuses the removal of the whole clusterConfiguration, so that without this field the
    // last of the settings above could not be removed
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
 * The port of kube-apiserver on a machine: that of the API, because CAPO's load balancer uses the same port for its
 * members. Undefined: kubeadm's default, which is left out, because any addition to this spec replaces all
 * control-plane machines.
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

/** kubeadm's configuration of kube-apiserver, and the files that kube-apiserver reads. */
function apiServerConfig({ apiServer }: ClusterSettings, security: SecurityConfig["apiServer"]) {
  const { certSans, extraArgs } = apiServer;
  const args: Record<string, string> = { ...security.args, ...extraArgs };
  const { volumes } = security;
  const config = {
    ...(certSans && { certSANs: certSans }),
    ...(Object.keys(args).length > 0 && { extraArgs: argList(args) }),
    ...(volumes.length > 0 && { extraVolumes: volumes }),
  };
  return {
    config: Object.keys(config).length > 0 ? config : undefined,
    files: security.files,
  };
}

function securityOf({ apiServer, hardening }: ClusterSettings): SecurityConfig {
  const { extraArgs, encryptionKeys } = apiServer;
  const otherArgs = Object.keys(extraArgs);
  return securityConfig({ ...apiServer, hardening, isEncrypted: encryptionKeys !== undefined, otherArgs });
}

/** A patch of the KubeletConfiguration that kubeadm writes; none without additions. */
function kubeletPatch({ kubelet }: SecurityConfig): NodeFile[] {
  if (Object.keys(kubelet).length === 0) return [];
  const path = `${PATCHES}/kubeletconfiguration+merge.yaml`;
  return [{ path, permissions: "0600", content: toYaml(kubelet) }];
}

/** The registration of a machine's node by its kubelet. */
function registration(settings: ClusterSettings, machines: ControlPlane | NodeGroup): Fields {
  const { kubeadm, addons } = settings;
  const labels = kubeletLabels(settings, machines);
  const args: Record<string, string> = {
    ...kubeadm.kubeletExtraArgs,
    // the cloud controller manager sets the node's provider id; without one, the kubelet does
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
    ...(machines.taints && { taints: machines.taints.map(taint) }),
  };
}

/** Arguments in kubeadm's form. */
function argList(args: Readonly<Record<string, string>>): Fields[] {
  return Object.entries(args)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
}

function taint({ key, value, effect }: Taint): Fields {
  return { key, effect, ...(value !== undefined && { value }) };
}

/** Labels of a node group that Cluster API sets on its nodes. */
export function nodeLabels({ labels = {} }: NodeGroup): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => isKeptByClusterApi(key)));
}

/**
 * Labels that the kubelet sets on its node once, when it registers; those of the group override those of all machines.
 */
export function kubeletLabels(
  { kubeadm }: ClusterSettings,
  machines: ControlPlane | NodeGroup,
): Record<string, string> {
  const { labels = {} } = "labels" in machines ? machines : {};
  const own = Object.entries(labels).filter(([key]) => !isKeptByClusterApi(key));
  return {
    ...readNodeLabels(kubeadm.kubeletExtraArgs["node-labels"] ?? ""),
    ...(Object.fromEntries(own) as Record<string, string>),
  };
}
