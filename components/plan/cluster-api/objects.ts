import { stringify } from "yaml";
import { digest } from "../../kube/checksum";
import type { Fields, KubeObject } from "../../kube/object";
import type { ClusterSettings, NodeGroup, RootVolume, Taint } from "../../settings/clusters";

/** The versions that are written: contract v1beta2 of Cluster API, and the API of its OpenStack provider (CAPO). */
const VERSIONS = {
  core: "cluster.x-k8s.io/v1beta2",
  bootstrap: "bootstrap.cluster.x-k8s.io/v1beta2",
  controlPlane: "controlplane.cluster.x-k8s.io/v1beta2",
  infrastructure: "infrastructure.cluster.x-k8s.io/v1beta1",
} as const;

type Group = keyof typeof VERSIONS;

/** Name of the cloud in the clouds.yaml of a cluster's Secret. */
export const CLOUD = "openstack";

/** Name of the Secret with the clouds.yaml of a cluster. */
export function cloudSecret(cluster: string): string {
  return `${cluster}-cloud-config`;
}

/**
 * The objects of Cluster API for a cluster, in a namespace of the cluster's name; its Secret with clouds.yaml is not
 * among them. What Cluster API or CAPO would fill in by itself and lets nobody change is written out, so that it stays
 * when their defaults become others.
 */
export function clusterObjects(name: string, settings: ClusterSettings): KubeObject[] {
  const { network, controlPlane, nodeGroups } = settings;
  const object = (group: Group, kind: string, its: string, spec: Fields): KubeObject => ({
    apiVersion: VERSIONS[group],
    kind,
    metadata: { name: its, namespace: name },
    spec,
  });
  // no template can be changed: another content has another name, and the machines of the former are replaced
  const template = (group: Group, kind: string, its: string, spec: Fields): KubeObject =>
    object(group, kind, `${its}-${digest(spec).slice(0, 8)}`, { template: { spec } });
  const machines = template(
    "infrastructure",
    "OpenStackMachineTemplate",
    `${name}-control-plane`,
    machineSpec(settings.image, controlPlane),
  );
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    object("core", "Cluster", name, {
      clusterNetwork: {
        pods: { cidrBlocks: [network.podCidr] },
        services: { cidrBlocks: [network.serviceCidr] },
        serviceDomain: "cluster.local",
      },
      controlPlaneRef: { apiGroup: groupOf("controlPlane"), kind: "KubeadmControlPlane", name },
      infrastructureRef: { apiGroup: groupOf("infrastructure"), kind: "OpenStackCluster", name },
    }),
    object("infrastructure", "OpenStackCluster", name, openStackCluster(name, settings)),
    machines,
    object("controlPlane", "KubeadmControlPlane", name, {
      replicas: controlPlane.replicas,
      version: settings.kubernetesVersion,
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
      machineTemplate: { spec: { infrastructureRef: reference(machines) } },
      kubeadmConfigSpec: controlPlaneConfig(settings),
    }),
    ...Object.entries(nodeGroups).flatMap(([group, its]) => {
      const owner = `${name}-${group}`;
      const servers = template(
        "infrastructure",
        "OpenStackMachineTemplate",
        owner,
        machineSpec(its.image ?? settings.image, its),
      );
      const config = template("bootstrap", "KubeadmConfigTemplate", owner, {
        joinConfiguration: { nodeRegistration: registration(settings, its) },
      });
      const machine = {
        clusterName: name,
        version: settings.kubernetesVersion,
        bootstrap: { configRef: reference(config) },
        infrastructureRef: reference(servers),
        ...(its.availabilityZone !== undefined && { failureDomain: its.availabilityZone }),
      };
      const deployment = object("core", "MachineDeployment", owner, {
        clusterName: name,
        replicas: its.replicas,
        selector: { matchLabels: {} },
        rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
        template: { metadata: { labels: nodeLabels(its) }, spec: machine },
      });
      return [servers, config, deployment];
    }),
  ];
}

function groupOf(group: Group): string {
  return VERSIONS[group].split("/")[0] ?? "";
}

function reference({ apiVersion, kind, metadata: { name } }: KubeObject): Fields {
  return { apiGroup: apiVersion.split("/")[0], kind, name };
}

function openStackCluster(name: string, { network, apiServer }: ClusterSettings): Fields {
  const { loadBalancerProvider: provider, allowedCidrs } = apiServer;
  return {
    identityRef: { name: cloudSecret(name), cloudName: CLOUD },
    externalNetwork: { filter: { name: network.externalNetwork } },
    managedSubnets: [
      {
        cidr: network.nodeCidr,
        ...(network.dnsNameservers && { dnsNameservers: network.dnsNameservers }),
      },
    ],
    managedSecurityGroups: { allowAllInClusterTraffic: true },
    apiServerLoadBalancer: {
      enabled: true,
      ...(provider !== undefined && { provider }),
      ...(allowedCidrs && { allowedCIDRs: allowedCidrs }),
    },
  };
}

function machineSpec(image: string, its: { flavor: string; rootVolume?: RootVolume }): Fields {
  const { flavor, rootVolume: volume } = its;
  return {
    flavor,
    image: { filter: { name: image } },
    ...(volume && {
      rootVolume: { sizeGiB: volume.sizeGiB, ...(volume.type !== undefined && { type: volume.type }) },
    }),
  };
}

/** Where kube-proxy's additions stand on a machine until they are added to kubeadm's own configuration. */
const KUBE_PROXY = "/etc/kubernetes-kube-proxy.yaml";

function controlPlaneConfig(settings: ClusterSettings): Fields {
  const { kubeProxyConfiguration: kubeProxy } = settings.kubeadm;
  const nodeRegistration = registration(settings);
  const configuration = {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    ...kubeProxy,
  };
  return {
    initConfiguration: { nodeRegistration },
    joinConfiguration: { nodeRegistration },
    ...(kubeProxy && {
      files: [
        {
          path: KUBE_PROXY,
          owner: "root:root",
          permissions: "0644",
          content: `---\n${stringify(configuration)}`,
        },
      ],
      // only the first machine has this file: the others take kube-proxy's configuration from the cluster
      preKubeadmCommands: [
        `! [ -f /run/kubeadm/kubeadm.yaml ] || cat ${KUBE_PROXY} >>/run/kubeadm/kubeadm.yaml`,
      ],
    }),
  };
}

/** How the kubelet of a machine registers its node. */
function registration({ kubeadm, addons }: ClusterSettings, group?: NodeGroup): Fields {
  const own = Object.entries(kubeletLabels(group));
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
    kubeletExtraArgs: Object.entries(args)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => ({ name, value })),
    ...(group?.taints && { taints: group.taints.map(taint) }),
  };
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

function nodeLabels({ labels = {} }: NodeGroup): Fields {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => KEPT.test(key)));
}

/** Labels that the kubelet gives its node once, when it registers. */
function kubeletLabels(group: NodeGroup | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(group?.labels ?? {}).filter(([key]) => !KEPT.test(key)));
}
