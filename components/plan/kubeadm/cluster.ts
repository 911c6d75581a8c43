import type { ClusterInstallation, MasterNode } from "../../settings/model";
import { checkAddresses, checkFixedAddresses, checkNodeNetworks } from "./addresses";
import { planApi } from "./api";
import { planAptRepository } from "./apt-repository";
import { checkCloudProvider } from "./cloud-provider";
import { checkInstallation, EVERYWHERE, manifestFaults } from "./installation";
import { checkReach, planJumpHost } from "./jump-host";
import type { ClusterPlan, SnapshotBucket } from "./model";
import { planNodes } from "../nodes/features";
import { checkVdus, planNodePools, type PlacedPool } from "./node-pools";
import { readNodeScript } from "./node-script";
import { planPodRoutes } from "./pod-routes";
import { readNodes } from "./read-nodes";
import { planSecurity } from "./security";
import { planStorage } from "./storage";
import { readTextFile } from "./text-file";
import { declaredVersion } from "../vim-version";
import type { ClusterContext } from "./context";

/** Plans the kubeadm cluster on an instance's servers. */
export function planCluster(params: ClusterInstallation, context: ClusterContext): ClusterPlan {
  const { place, instance } = context;
  const [masters, ...workers] = planNodePools(params, context);
  const [, master] = masters;
  checkInstallation(params, place);
  checkCloudProvider(params, context);
  checkAddresses(params, {
    place,
    networks: context.networks,
    nodes: [masters, ...workers].flatMap(([, { servers }]) => servers).length,
  });
  const api = planApi(params, master, context);
  const storage = planStorage(params, context);
  const balancers = api.kind === "haproxy" && !api.onMasters ? api.balancers : undefined;
  const bySetting: readonly PlacedPool[] = [
    masters,
    ...(balancers ? [[place.get("load_balancer"), balancers] as const] : []),
    ...workers,
    ...(storage ? [[place.get("storage_server"), storage.pool] as const] : []),
  ];
  checkVdus(bySetting, place);
  const pools = bySetting.map(([, pool]) => pool);
  const plan: ClusterPlan = {
    vimName: params.vim_name ?? `kubernetes_vim_${instance}`,
    pools,
    api,
    jumpHost: planJumpHost(params, place, pools),
    drain: params.drain,
    podCidr: params.master_node.pod_cidr,
    serviceCidr: params.master_node.cluster_cidr,
    ipv6: dualStack(params.master_node),
    kubernetesVersion: params.kubernetes_version,
    hasCloudProvider: params.cloud_provider !== undefined,
    podRoutes: planPodRoutes(params, pools, context),
    kubeadm: {
      ignorePreflightErrors: params.kubeadm?.ignore_preflight_errors ?? [],
      clusterConfiguration: params.kubeadm?.cluster_configuration ?? {},
      kubeletConfiguration: params.kubeadm?.kubelet_configuration ?? {},
      kubeProxyConfiguration: params.kubeadm?.kube_proxy_configuration ?? {},
    },
    ...planSecurity(params, context),
    cniManifest: readManifest(params, context),
    cniPorts: [...new Set(params.cni_ports)],
    managementCidrs: [...new Set(params.management_cidrs ?? EVERYWHERE)],
    ingressRules: params.ingress_rules,
    nodes: planNodes(readNodes(params, context)),
    aptRepository: planAptRepository(params, place),
    nodeScript: readNodeScript(params, context),
    storage,
    snapshotBucket: planSnapshotBucket(params),
    rotation: {
      sshKey: context.rotate?.ssh_key,
      serviceAccount: context.rotate?.service_account,
      certificates: context.rotate?.certificates,
      encryptionKey: context.rotate?.encryption_key,
    },
  };
  checkNodeNetworks(plan, context);
  checkFixedAddresses(plan, place, instance);
  // an invalid one has an error already
  const hasWrongJumpHost = params.jump_host !== undefined && plan.jumpHost === undefined;
  if (!hasWrongJumpHost) checkReach(plan, context.networks, place);
  return plan;
}

function planSnapshotBucket({
  etcd_snapshot_bucket: bucket,
}: ClusterInstallation): SnapshotBucket | undefined {
  if (bucket === undefined) return undefined;
  const { endpoint, region, name, access_key: accessKey, secret_key: secretKey } = bucket;
  return { endpoint: endpoint.replace(/\/+$/, ""), region, name, accessKey, secretKey };
}

/** Joins both IPv6 CIDRs. checkAddresses reports a missing one. */
function dualStack({
  pod_cidr_ipv6: podCidr,
  cluster_cidr_ipv6: serviceCidr,
}: MasterNode): ClusterPlan["ipv6"] {
  return podCidr === undefined || serviceCidr === undefined ? undefined : { podCidr, serviceCidr };
}

/** Default paths of the CNI's manifest: that of the package, else flannel from vnfm. */
const DEFAULT_MANIFESTS = [
  "Files/kubernetes/flannel.yaml",
  "vnf-packages/kubernetes-cluster/Files/kubernetes/flannel.yaml",
] as const;

function readManifest(params: ClusterInstallation, context: ClusterContext): string {
  const place = context.place.get("cni_manifest_path");
  const [ofPackage, ofProduct] = DEFAULT_MANIFESTS;
  const byDefault = context.readText(ofPackage) === undefined ? ofProduct : ofPackage;
  const file = params.cni_manifest_path ?? byDefault;
  const text = readTextFile(file, place, context) ?? "";
  for (const fault of manifestFaults(file, text, declaredVersion(params))) place.fault(fault);
  return text;
}
