import type { Fields } from "../../kube/object";
import type {
  ClusterSettings,
  ControlPlane,
  NodeGroup,
  OpenIdConnect,
  Taint,
} from "../../settings/cluster-model";
import { ENCRYPTION, filesOf, type MachineFiles } from "./machine-files";
import { toYaml } from "../../yaml-text";

/** Where kube-proxy's additions stand on a machine until they are added to kubeadm's own configuration. */
const KUBE_PROXY = "/etc/kubernetes-kube-proxy.yaml";
const OIDC_CA = "/etc/kubernetes/oidc-ca.crt";
const AUDIT_POLICY = "/etc/kubernetes/audit-policy.yaml";
const AUDIT_LOGS = "/var/log/kubernetes/audit";
/** Where the volume for etcd is mounted. The folder in it has no `lost+found`, which etcd refuses. */
const ETCD_MOUNT = "/var/lib/etcd-volume";

/** The kubeadmConfigSpec of the control plane. */
export function controlPlaneConfig(settings: ClusterSettings, secrets: MachineFiles): Fields {
  const { kubeadm, controlPlane } = settings;
  const { kubeProxyConfiguration: kubeProxy } = kubeadm;
  const { etcdVolume } = controlPlane;
  const nodeRegistration = registration(settings, controlPlane);
  const api = apiServerConfig(settings);
  const files = [...api.files, ...(kubeProxy ? [kubeProxyFile(kubeProxy)] : [])];
  const before = [
    // only the first machine has this file: the others take kube-proxy's configuration from the cluster
    ...(kubeProxy
      ? [`! [ -f /run/kubeadm/kubeadm.yaml ] || cat ${KUBE_PROXY} >>/run/kubeadm/kubeadm.yaml`]
      : []),
  ];
  const clusterConfiguration = {
    ...(api.config && { apiServer: api.config }),
    ...(etcdVolume && { etcd: { local: { dataDir: `${ETCD_MOUNT}/etcd` } } }),
  };
  return {
    ...(Object.keys(clusterConfiguration).length > 0 && { clusterConfiguration }),
    initConfiguration: {
      nodeRegistration,
      ...(kubeadm.skipPhases.length > 0 && { skipPhases: kubeadm.skipPhases }),
    },
    joinConfiguration: { nodeRegistration },
    ...(etcdVolume && {
      diskSetup: {
        filesystems: [{ device: etcdVolume.device, filesystem: "ext4", label: "etcd", overwrite: false }],
      },
      mounts: [["LABEL=etcd", ETCD_MOUNT]],
    }),
    ...filesOf(settings, secrets, { files, before, controlPlane: true }),
  };
}

/** The spec of the KubeadmConfigTemplate of a node group. */
export function workerConfig(settings: ClusterSettings, group: NodeGroup, secrets: MachineFiles): Fields {
  return {
    joinConfiguration: { nodeRegistration: registration(settings, group) },
    ...filesOf(settings, secrets, { files: [], before: [], controlPlane: false }),
  };
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
function apiServerConfig({ apiServer }: ClusterSettings) {
  const { certSans, oidc, auditPolicy, encryptionKeys, extraArgs } = apiServer;
  const args: Record<string, string> = {
    ...(oidc && oidcArgs(oidc)),
    ...(auditPolicy && {
      "audit-policy-file": AUDIT_POLICY,
      "audit-log-path": `${AUDIT_LOGS}/audit.log`,
      "audit-log-maxage": "30",
      "audit-log-maxbackup": "10",
      "audit-log-maxsize": "100",
    }),
    ...(encryptionKeys && { "encryption-provider-config": ENCRYPTION }),
    ...extraArgs,
  };
  const volumes = [
    ...(auditPolicy
      ? [
          fileVolume("audit-policy", AUDIT_POLICY),
          { name: "audit-logs", hostPath: AUDIT_LOGS, mountPath: AUDIT_LOGS, pathType: "DirectoryOrCreate" },
        ]
      : []),
    ...(encryptionKeys ? [fileVolume("encryption", ENCRYPTION)] : []),
    ...(oidc?.ca === undefined ? [] : [fileVolume("oidc-ca", OIDC_CA)]),
  ];
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", ...auditPolicy };
  const config = {
    ...(certSans && { certSANs: certSans }),
    ...(Object.keys(args).length > 0 && { extraArgs: argList(args) }),
    ...(volumes.length > 0 && { extraVolumes: volumes }),
  };
  return {
    config: Object.keys(config).length > 0 ? config : undefined,
    files: [
      ...(auditPolicy ? [{ path: AUDIT_POLICY, permissions: "0600", content: toYaml(policy) }] : []),
      ...(oidc?.ca === undefined ? [] : [{ path: OIDC_CA, permissions: "0644", content: oidc.ca }]),
    ],
  };
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

/** A file of the machine in the pod of kube-apiserver. */
function fileVolume(name: string, path: string): Fields {
  return { name, hostPath: path, mountPath: path, readOnly: true, pathType: "File" };
}

/** How the kubelet of a machine registers its node. */
function registration(settings: ClusterSettings, its: ControlPlane | NodeGroup): Fields {
  const { kubeadm, addons } = settings;
  const own = Object.entries(kubeletLabels("labels" in its ? its.labels : undefined));
  const args: Record<string, string> = {
    // the cloud controller manager says which server a node is; where there is none, the kubelet does
    ...(addons["openstack-cloud-controller-manager"] === undefined
      ? { "provider-id": "openstack:///'{{ instance_id }}'" }
      : { "cloud-provider": "external" }),
    ...(own.length > 0 && { "node-labels": own.map(([key, value]) => `${key}=${value}`).join(",") }),
    ...kubeadm.kubeletExtraArgs,
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

/**
 * Labels that Cluster API keeps on nodes while they live: others it does not touch.
 * https://cluster-api.sigs.k8s.io/developer/architecture/controllers/metadata-propagation
 */
const KEPT =
  /^(node-role\.kubernetes\.io|node-restriction\.kubernetes\.io|(.+\.)?node\.cluster\.x-k8s\.io)(\/|$)/;

/** Labels of a node group that Cluster API gives its nodes. */
export function nodeLabels({ labels = {} }: NodeGroup): Fields {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => KEPT.test(key)));
}

/** Labels that the kubelet gives its node once, when it registers. */
function kubeletLabels(labels: NodeGroup["labels"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !KEPT.test(key)));
}
