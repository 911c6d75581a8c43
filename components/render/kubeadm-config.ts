import { endpoint } from "../base/net/cidr";
import { toYaml } from "../base/yaml/yaml";
import { CONFIGURATIONS } from "../kube/cluster/configurations";
import { API_SERVER_PORT } from "../kube/cluster/control-plane";
import type { NodeTaint } from "../kube/cluster/node-labels";
import { at, items, merge, type Fields } from "../kube/objects/object";
import type { ClusterPlan } from "../plan/kubeadm/model";
import { cloudId } from "../base/uuid";

/** API version of kubeadm's documents (https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/). */
const KUBEADM_API = CONFIGURATIONS.cluster_configuration.apiVersion;
const CRI_SOCKET = "unix:///run/containerd/containerd.sock";

export interface MasterConfig {
  readonly nodeName: string;
  /** Address of the node in the cluster. */
  readonly nodeAddress: string;
  /** IPv6 address of the node in a dual-stack cluster. */
  readonly nodeIpv6?: string | undefined;
  /** Address at which nodes reach the Kubernetes API. */
  readonly apiAddress: string;
  /** Address for clients outside of the cluster's network. @default apiAddress */
  readonly floatingIp?: string | undefined;
}

/**
 * Renders the configuration of `kubeadm init`: several YAML documents. @KUBERNETES_VERSION@, @CERTIFICATE_KEY@ and
 * @PROVIDER_ID@ are filled in on the node, so that the text does not change when the node's server is replaced.
 */
export function renderInitConfig(cluster: ClusterPlan, master: MasterConfig): string {
  const { kubeadm, security } = cluster;
  const certSANs = certificateNames(cluster, master);
  return documents([
    {
      apiVersion: KUBEADM_API,
      kind: "InitConfiguration",
      nodeRegistration: nodeRegistration(cluster, master, "@PROVIDER_ID@"),
      localAPIEndpoint: { advertiseAddress: master.nodeAddress, bindPort: API_SERVER_PORT },
      certificateKey: "@CERTIFICATE_KEY@",
      // kubeadm's own token is not used: each joining node gets another one
      bootstrapTokens: [{ description: "vnfm: unused", ttl: "1m0s" }],
    },
    merge(
      {
        ...CONFIGURATIONS.cluster_configuration,
        clusterName: cluster.vimName,
        kubernetesVersion: "@KUBERNETES_VERSION@",
        controlPlaneEndpoint: endpoint(master.apiAddress, cluster.api.port),
        networking: {
          podSubnet: both(cluster.podCidr, cluster.ipv6?.podCidr),
          serviceSubnet: both(cluster.serviceCidr, cluster.ipv6?.serviceCidr),
        },
        apiServer: { certSANs },
      },
      merge(kubeadm.clusterConfiguration, components(cluster, certSANs)),
    ),
    merge(CONFIGURATIONS.kubelet_configuration, merge(security.kubelet, kubeadm.kubeletConfiguration)),
    merge(CONFIGURATIONS.kube_proxy_configuration, kubeadm.kubeProxyConfiguration),
  ]);
}

/** Names and addresses for the API's certificate: those that clients use, and the operator's. */
function certificateNames({ kubeadm }: ClusterPlan, { apiAddress, floatingIp }: MasterConfig): string[] {
  const operatorNames = items(at(kubeadm.clusterConfiguration, "apiServer", "certSANs")).map(String);
  return [...new Set([apiAddress, ...(floatingIp === undefined ? [] : [floatingIp]), ...operatorNames])];
}

/** Fields of the ClusterConfiguration for control-plane components, with the operator's arguments. */
function components(
  { podRoutes, security, kubeadm: { clusterConfiguration: operatorConfig } }: ClusterPlan,
  certSANs: readonly string[],
): object {
  const { apiServer, controllerManagerArgs, schedulerArgs } = security;
  const { args, volumes } = apiServer;
  return {
    apiServer: {
      certSANs,
      ...(Object.keys(args).length > 0 && { extraArgs: withArgs(operatorConfig["apiServer"], args) }),
      ...(volumes.length > 0 && {
        extraVolumes: [...volumes, ...items(at(operatorConfig, "apiServer", "extraVolumes"))],
      }),
    },
    ...componentArgs("controllerManager", operatorConfig, {
      ...controllerManagerArgs,
      // each node has a block of addresses from the plan
      ...(podRoutes !== undefined && { "allocate-node-cidrs": "false" }),
    }),
    ...componentArgs("scheduler", operatorConfig, schedulerArgs),
  };
}

function componentArgs(
  component: string,
  operatorConfig: Fields,
  args: Readonly<Record<string, string>>,
): object {
  return Object.keys(args).length === 0
    ? {}
    : { [component]: { extraArgs: withArgs(operatorConfig[component], args) } };
}

/** The extraArgs of a component: the operator's, and those of `args` that the operator has not set. */
function withArgs(component: unknown, args: Readonly<Record<string, string>>): unknown[] {
  const operatorArgs = items(at(component, "extraArgs"));
  const names = operatorArgs.map((arg) => at(arg, "name"));
  const others = Object.entries(args).filter(([name]) => !names.includes(name));
  return [...operatorArgs, ...others.map(([name, value]) => ({ name, value }))];
}

export interface JoinConfig {
  readonly nodeName: string;
  readonly nodeAddress: string;
  /** IPv6 address of the node, as in MasterConfig. */
  readonly nodeIpv6?: string | undefined;
  readonly apiAddress: string;
  /** Bootstrap token. */
  readonly token: string;
  /** `sha256:<hex>` of the cluster CA's public key. */
  readonly caCertHash: string;
  /** Taints with which a worker registers, so that no pod is scheduled on it before they exist. @default none */
  readonly taints?: readonly NodeTaint[] | undefined;
  /** Provider ID, from providerId(). @default none, the cluster has no cloud provider */
  readonly providerId?: string | undefined;
  /** Key that decrypts the control plane's certificates. @default none, the node is a worker */
  readonly certificateKey?: string | undefined;
}

/** Renders the configuration of `kubeadm join`. */
export function renderJoinConfig(cluster: ClusterPlan, node: JoinConfig): string {
  return documents([
    {
      apiVersion: KUBEADM_API,
      kind: "JoinConfiguration",
      nodeRegistration: {
        ...nodeRegistration(cluster, node, node.providerId),
        // an empty list would keep kubeadm's own from a master
        ...(node.taints && node.taints.length > 0 && { taints: node.taints }),
      },
      discovery: {
        bootstrapToken: {
          apiServerEndpoint: endpoint(node.apiAddress, cluster.api.port),
          token: node.token,
          caCertHashes: [node.caCertHash],
        },
      },
      ...(node.certificateKey === undefined
        ? {}
        : {
            controlPlane: {
              localAPIEndpoint: { advertiseAddress: node.nodeAddress, bindPort: API_SERVER_PORT },
              certificateKey: node.certificateKey,
            },
          }),
    },
  ]);
}

/** Replaces the placeholders of the CNI's manifest. Those of IPv6 become empty in an IPv4 cluster. */
export function renderCniManifest(cluster: ClusterPlan, apiAddress: string): string {
  return cluster.cniManifest
    .replaceAll("${POD_CIDR}", cluster.podCidr)
    .replaceAll("${POD_CIDR_IPV6}", cluster.ipv6?.podCidr ?? "")
    .replaceAll("${SERVICE_CIDR}", cluster.serviceCidr)
    .replaceAll("${FLANNEL_BACKEND}", cluster.podRoutes === undefined ? "vxlan" : "alloc")
    .replaceAll("${API_HOST}", apiAddress)
    .replaceAll("${API_PORT}", String(cluster.api.port));
}

/**
 * Returns the provider ID of a node, for the cloud controller manager and Cinder CSI. @throws Fault for an invalid id
 */
export function providerId(serverId: string): string {
  return `openstack:///${cloudId(serverId, "a server")}`;
}

/** Joins the values of both IP families; IPv4 comes first, as it is the primary family of the cluster. */
function both(ofIpv4: string, ofIpv6: string | undefined): string {
  return ofIpv6 === undefined ? ofIpv4 : `${ofIpv4},${ofIpv6}`;
}

function nodeRegistration(
  cluster: ClusterPlan,
  { nodeName: name, nodeAddress, nodeIpv6 }: Pick<JoinConfig, "nodeName" | "nodeAddress" | "nodeIpv6">,
  provider = "",
) {
  const ofCloud = [
    { name: "cloud-provider", value: "external" },
    // by its name a server of another stack in the project may be found
    { name: "provider-id", value: provider },
  ];
  return {
    name,
    criSocket: CRI_SOCKET,
    imagePullPolicy: "IfNotPresent",
    ignorePreflightErrors: cluster.kubeadm.ignorePreflightErrors,
    kubeletExtraArgs: [
      { name: "node-ip", value: both(nodeAddress, nodeIpv6) },
      ...(cluster.hasCloudProvider ? ofCloud : []),
    ],
  };
}

function documents(objects: readonly object[]): string {
  return objects.map((object) => toYaml(object)).join("---\n");
}
