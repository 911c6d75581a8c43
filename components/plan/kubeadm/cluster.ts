import { didYouMean, oneOf } from "../../nearest";
import { own } from "../../own";
import type { ClusterInstallation, MasterNode, Rotate, WorkerNode } from "../../settings/model";
import type { DeploymentFlavour, ScalingAspect } from "../../vnfd/model";
import { checkAddresses, checkNodeNetworks } from "./addresses";
import { planApi } from "./api";
import { planAptRepository } from "./apt-repository";
import { cloudProviderFaults } from "./cloud-provider";
import { checkConnectionPoint } from "../servers/connection-point";
import { checkInstallation, EVERYWHERE, manifestFaults } from "./installation";
import { checkReach, planJumpHost } from "./jump-host";
import type { ClusterPlan, NodePool, Role } from "./model";
import type { PlannedNetwork, PlannedServer, PlannedVirtualIp } from "../model";
import { readNodeScript } from "./node-script";
import { planPodRoutes } from "./pod-routes";
import { ofVdu } from "./pools";
import { planPrivateRegistries } from "./private-registries";
import { planSecurity } from "./security";
import { planStorage } from "./storage";
import { readTextFile } from "./text-file";
import { declaredVersion } from "../vim-version";

/** What planCluster needs besides the operator's parameters. */
export interface ClusterContext {
  readonly instance: string;
  /** Of k8s_cluster_installation_param in the stack config, for faults. */
  readonly path: string;
  readonly flavour: DeploymentFlavour;
  /** @default nothing */
  readonly rotate?: Rotate | undefined;
  readonly servers: readonly PlannedServer[];
  readonly networks: readonly PlannedNetwork[];
  readonly virtualIps: readonly PlannedVirtualIp[];
  /** Text of a file of the package, or of the project where the package has none of that path. */
  readonly readText: (path: string) => string | undefined;
}

/** The kubeadm cluster that an instance's servers become. Appends what is wrong to `faults`. */
export function planCluster(
  params: ClusterInstallation,
  context: ClusterContext,
  faults: string[],
): ClusterPlan {
  const { path, instance } = context;
  const master = planPool("master", params.master_node, `${path}.master_node`, context, faults);
  const worker = planPool("worker", params.worker_node, `${path}.worker_node`, context, faults);
  checkInstallation(params, path, faults);
  faults.push(...cloudProviderFaults(params, context));
  checkAddresses(
    params,
    {
      path,
      networks: context.networks,
      nodes: master.servers.length + worker.servers.length,
    },
    faults,
  );
  const api = planApi(params, master, context, faults);
  const storage = planStorage(params, context, faults);
  const named = {
    master_node: master,
    load_balancer: api.kind === "haproxy" && !api.onMasters ? api.balancers : undefined,
    worker_node: worker,
    storage_server: storage?.pool,
  };
  checkVdus(named, path, faults);
  const pools = Object.values(named).filter((pool) => pool !== undefined);
  const plan: ClusterPlan = {
    vimName: params.vim_name ?? `kubernetes_vim_${instance}`,
    pools,
    api,
    jumpHost: planJumpHost(params, path, pools, faults),
    drain: params.drain,
    podCidr: params.master_node.pod_cidr,
    serviceCidr: params.master_node.cluster_cidr,
    ipv6: dualStack(params.master_node),
    kubernetesVersion: params.kubernetes_version,
    hasCloudProvider: params.cloud_provider !== undefined,
    podRoutes: planPodRoutes(params, pools, context, faults),
    kubeadm: {
      ignorePreflightErrors: params.kubeadm?.ignore_preflight_errors ?? [],
      clusterConfiguration: params.kubeadm?.cluster_configuration ?? {},
      kubeletConfiguration: params.kubeadm?.kubelet_configuration ?? {},
      kubeProxyConfiguration: params.kubeadm?.kube_proxy_configuration ?? {},
    },
    ...planSecurity(params, context, faults),
    cniManifest: readManifest(params, context, faults),
    cniPorts: [...new Set(params.cni_ports)],
    managementCidrs: [...new Set(params.management_cidrs ?? EVERYWHERE)],
    ingressRules: params.ingress_rules,
    proxy: params.proxy,
    registries: planPrivateRegistries(
      params.private_registry_connection_info ?? [],
      `${path}.private_registry_connection_info`,
      (file, setting) => readTextFile(file, setting, context, faults) ?? "",
      faults,
    ),
    aptRepository: planAptRepository(params, path, faults),
    nodeScript: readNodeScript(params, context, faults),
    storage,
    rotation: {
      sshKey: context.rotate?.ssh_key,
      serviceAccount: context.rotate?.service_account,
      certificates: context.rotate?.certificates,
      encryptionKey: context.rotate?.encryption_key,
    },
  };
  checkNodeNetworks(plan, context, faults);
  // one that is wrong has been told
  const hasWrongJumpHost = params.jump_host !== undefined && plan.jumpHost === undefined;
  if (!hasWrongJumpHost) checkReach(plan, context.networks, path, faults);
  return plan;
}

/** Both blocks are there, or checkAddresses has told that one is missing. */
function dualStack({
  pod_cidr_ipv6: podCidr,
  cluster_cidr_ipv6: serviceCidr,
}: MasterNode): ClusterPlan["ipv6"] {
  return podCidr === undefined || serviceCidr === undefined ? undefined : { podCidr, serviceCidr };
}

/** A VDU has one role. @param pools by their settings, in the order in which one wins */
function checkVdus(
  pools: Readonly<Record<string, NodePool | undefined>>,
  path: string,
  faults: string[],
): void {
  const owners = new Map<string, string>();
  for (const [setting, pool] of Object.entries(pools)) {
    if (pool === undefined || pool.vdu === "") continue;
    const owner = owners.get(pool.vdu);
    if (owner === undefined) owners.set(pool.vdu, setting);
    else faults.push(`${path}.${setting}: has the VDU of ${owner}, ${pool.vdu}; give it one of its own`);
  }
}

function planPool(
  role: Role,
  params: MasterNode | WorkerNode,
  path: string,
  context: ClusterContext,
  faults: string[],
): NodePool {
  const vdu = vduOf(params, path, context, faults);
  const servers = ofVdu(vdu, role, context);
  if (vdu !== undefined && servers.length === 0) {
    faults.push(`${path}: VDU ${vdu} has no server; give it an image and a scale level that makes one`);
  }
  const nodeConnectionPoint = params.nic_cp_name ?? params.ssh_cp_name;
  checkConnectionPoint(params.ssh_cp_name, `${path}.ssh_cp_name`, servers[0], context.flavour, faults);
  checkConnectionPoint(nodeConnectionPoint, `${path}.nic_cp_name`, servers[0], context.flavour, faults);
  return {
    ...{ role, vdu: vdu ?? "" },
    sshConnectionPoint: params.ssh_cp_name,
    nodeConnectionPoint,
    login: { username: params.username, password: params.password, privateKey: params.private_key },
    servers,
  };
}

/** The pool's VDU: named outright, or the one that ssh_cp_name is bound to; aspect_id must agree. */
function vduOf(
  params: WorkerNode,
  path: string,
  { flavour }: ClusterContext,
  faults: string[],
): string | undefined {
  const vdu = params.vdu_id ?? own(flavour.connectionPoints, params.ssh_cp_name)?.vdu;
  if (params.vdu_id !== undefined && own(flavour.vdus, params.vdu_id) === undefined) {
    const known = Object.keys(flavour.vdus);
    faults.push(
      `${path}.vdu_id: "${params.vdu_id}" is no VDU of the VNFD; ${oneOf(known)}${didYouMean(params.vdu_id, known)}`,
    );
    return undefined;
  }
  if (params.aspect_id !== undefined)
    checkAspect(params.aspect_id, vdu, `${path}.aspect_id`, flavour, faults);
  return vdu;
}

/**
 * The VNFD says which aspect scales the VDU, and aspect_id must agree. For a VDU that none scales it says nothing:
 * Tacker's requests name one of the master also with a flavour that has a single master.
 */
function checkAspect(
  id: string,
  vdu: string | undefined,
  path: string,
  { scalingAspects }: DeploymentFlavour,
  faults: string[],
): void {
  const scales = ({ deltas }: ScalingAspect) => vdu === undefined || own(deltas, vdu) !== undefined;
  const known = Object.keys(scalingAspects);
  const aspect = own(scalingAspects, id);
  const scaled = Object.keys(aspect?.deltas ?? {});
  if (aspect !== undefined && scales(aspect)) return;
  if (scaled.length === 0 && !Object.values(scalingAspects).some(scales)) return;
  faults.push(
    aspect === undefined
      ? `${path}: "${id}" is no scaling aspect of the VNFD; ${oneOf(known)}${didYouMean(id, known)}`
      : `${path}: aspect "${id}" scales ${scaled.join(", ") || "no VDU"}, not ${vdu}`,
  );
}

/** Where the CNI's manifest is by default: the package's own, else flannel as the product brings it. */
const DEFAULT_MANIFESTS = [
  "Files/kubernetes/flannel.yaml",
  "vnf-packages/kubernetes-cluster/Files/kubernetes/flannel.yaml",
] as const;

function readManifest(params: ClusterInstallation, context: ClusterContext, faults: string[]): string {
  const path = `${context.path}.cni_manifest_path`;
  const [ofPackage, ofProduct] = DEFAULT_MANIFESTS;
  const byDefault = context.readText(ofPackage) === undefined ? ofProduct : ofPackage;
  const file = params.cni_manifest_path ?? byDefault;
  const text = readTextFile(file, path, context, faults) ?? "";
  faults.push(...manifestFaults(file, text, declaredVersion(params)).map((line) => `${path}: ${line}`));
  return text;
}
