import { createHash } from "node:crypto";
import type { Place } from "../../base/findings";
import { API_SERVER_PORT } from "../../kube/cluster/control-plane";
import { ETCD_SIZES } from "../../kube/cluster/quorum";
import { didYouMean, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { ClusterInstallation, LoadBalancer } from "../../settings/model";
import type { DeploymentFlavour } from "../../vnfd/model";
import { addressInUse } from "./addresses";
import { checkConnectionPoint } from "../servers/connection-point";
import type { ApiPlan, NodePool } from "./model";
import { ofVdu } from "./pools";
import type { PlannedServer, PlannedVirtualIp } from "../servers/model";

/**
 * Time in seconds after which a load balancer ends an idle connection: longer than the pauses in a watch of the API.
 */
export const API_IDLE_LIMIT_SECONDS = 3600;
/**
 * Port of HAProxy on a control-plane node, whose kube-apiserver has its own port; from the example of the
 * specification.
 */
const API_PORT_BESIDE_MASTER = 6440;

/** Settings for the login to load balancers that are separate servers. */
const OF_OWN_SERVERS = ["ssh_cp_name", "password", "private_key"] as const;
const OF_HAPROXY = [...OF_OWN_SERVERS, "virtual_router_id"] as const;

export interface ApiContext {
  readonly instance: string;
  /** The setting k8s_cluster_installation_param. */
  readonly place: Place;
  readonly flavour: DeploymentFlavour;
  readonly servers: readonly PlannedServer[];
  readonly virtualIps: readonly PlannedVirtualIp[];
}

/**
 * Plans the address of the Kubernetes API. cluster_cp_name is a connection point of a single control plane, or a VipCp.
 * The target of the VipCp determines where HAProxy runs; with the function load_balance it is a load balancer of the
 * cloud (SOL001 6.8.16).
 */
export function planApi(params: ClusterInstallation, master: NodePool, context: ApiContext): ApiPlan {
  const { place, virtualIps } = context;
  const name =
    params.master_node.cluster_cp_name ?? virtualIps[0]?.connectionPoint ?? master.nodeConnectionPoint;
  const virtualIp = virtualIps.find(({ connectionPoint }) => connectionPoint === name);
  const isOctavia = own(context.flavour.virtualIps, name)?.vipFunction === "load_balance";
  const refuse = (settings: readonly (keyof LoadBalancer)[], why: string): void => {
    const present = settings.filter((key) => params.load_balancer[key] !== undefined);
    for (const key of present) place.get("load_balancer", key).fault(`${why}; remove it`);
  };
  // load balancers of Services use that provider too
  if (!isOctavia && params.cloud_provider === undefined)
    refuse(["provider"], `is for Octavia, and ${name} is not a VipCp with the function load_balance`);
  if (virtualIp === undefined) {
    const isMasters = checkMasterConnectionPoint(name, master, context);
    if (own(context.flavour.connectionPoints, name) !== undefined) {
      refuse(OF_HAPROXY, `is for servers with HAProxy and keepalived, and ${name} is not a VipCp`);
    }
    if (isMasters && master.servers.length > 1) {
      const canBeOne = master.servers.every(({ vdu }) => vdu.minInstances <= 1);
      const fewer = canBeOne ? ", or set the scale level of the control-plane nodes to 0" : "";
      place
        .get("master_node")
        .fault(
          `${master.servers.length} control-plane nodes are planned and ${name} is the address of one of them; use a flavour with a VipCp (tosca.nodes.nfv.VipCp)${fewer}`,
        );
    }
    return { kind: "master", connectionPoint: name, port: API_SERVER_PORT };
  }
  // the error about missing masters is recorded elsewhere
  const { length: masters } = master.servers;
  if (masters > 0 && !ETCD_SIZES.includes(masters)) {
    place
      .get("master_node")
      .fault(
        `${masters} control-plane nodes are planned; etcd needs ${oneOf(ETCD_SIZES.map(String))}: an even number survives no more failures than one less, and more members slow down every write`,
      );
  }
  const { provider, virtual_router_id: routerId } = params.load_balancer;
  if (isOctavia) {
    refuse(OF_HAPROXY, `is for servers with HAProxy and keepalived, and ${name} has Octavia in front`);
    checkTarget(virtualIp, master, context);
    checkSoleAddress(virtualIp, context);
    return { kind: "octavia", virtualIp, port: API_SERVER_PORT, provider };
  }
  const balancers = planBalancers(params, virtualIp, master, context);
  const onMasters = balancers === master;
  if (onMasters)
    refuse(OF_OWN_SERVERS, `is for separate servers, and ${name} has the control-plane nodes as its target`);
  return {
    kind: "haproxy",
    virtualIp,
    port: onMasters ? API_PORT_BESIDE_MASTER : API_SERVER_PORT,
    balancers,
    onMasters,
    virtualRouterId: routerId ?? defaultRouterId(context.instance),
  };
}

function planBalancers(
  params: ClusterInstallation,
  virtualIp: PlannedVirtualIp,
  master: NodePool,
  context: ApiContext,
): NodePool {
  const { place } = context;
  const { ssh_cp_name, username, password, private_key } = params.load_balancer;
  const [target = ""] = virtualIp.targets;
  const vdu = own(context.flavour.connectionPoints, target)?.vdu ?? "";
  if (vdu === master.vdu) {
    checkTarget(virtualIp, master, { place });
    return master;
  }
  const servers = ofVdu(vdu, "balancer", context);
  if (ssh_cp_name !== undefined)
    checkConnectionPoint(ssh_cp_name, place.get("load_balancer", "ssh_cp_name"), vdu, context.flavour);
  return {
    ...{ role: "balancer", vdu },
    sshConnectionPoint: ssh_cp_name ?? target,
    nodeConnectionPoint: target,
    login: { username, password, privateKey: private_key },
    servers,
  };
}

/** Checks that the target of the VipCp is the masters' connection point in the cluster, if the masters have it. */
function checkTarget(
  { connectionPoint, targets: [target = ""] }: PlannedVirtualIp,
  master: NodePool,
  { place }: Pick<ApiContext, "place">,
): void {
  const { nodeConnectionPoint: nodePoint, servers } = master;
  const isKnown = servers.some(({ ports }) => ports.some(({ connectionPoint: one }) => one === nodePoint));
  if (target === nodePoint || !isKnown) return;
  place
    .get("master_node", "nic_cp_name")
    .fault(`is ${nodePoint}, but ${connectionPoint} has ${target} as its target in the VNFD`);
}

/** Records networks with both IP versions at a load balancer of Octavia, which has only one address. */
function checkSoleAddress(
  { connectionPoint, fixedAddresses }: PlannedVirtualIp,
  { place, instance }: ApiContext,
): void {
  const inUse = addressInUse(fixedAddresses);
  const others = fixedAddresses.filter((one) => one !== inUse);
  if (others.length > 0)
    place.findings
      .instance(instance)
      .get("extVirtualLinks", connectionPoint, "fixedAddresses")
      .fault(`an Octavia load balancer has one address; remove ${others.join(", ")}`);
}

/** @returns true if the masters have the connection point */
function checkMasterConnectionPoint(
  name: string,
  master: NodePool,
  { place, flavour, virtualIps }: ApiContext,
): boolean {
  const server = master.servers[0];
  if (server === undefined) return false;
  if (server.ports.some((port) => port.connectionPoint === name)) return true;
  const known = [
    ...server.ports.map((port) => port.connectionPoint),
    ...virtualIps.map((virtualIp) => virtualIp.connectionPoint),
  ];
  const why =
    own(flavour.virtualIps, name) === undefined ? "" : ", it is a VipCp and none of its targets is created";
  place
    .get("master_node", "cluster_cp_name")
    .fault(
      `"${name}" is not a connection point of VDU ${server.vdu.id}${why}; ${oneOf(known)}${didYouMean(name, known)}`,
    );
  return false;
}

/**
 * A VRRP id from 1 to 255. Peers are unicast and have a password, so clusters with equal ids on a network do not mix.
 */
function defaultRouterId(instance: string): number {
  return 1 + (createHash("sha256").update(instance).digest().readUInt32BE() % 255);
}
