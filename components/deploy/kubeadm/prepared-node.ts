import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { Node } from "../openstack/node";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/servers/model";
import type { Reach } from "../../remote/reaching";
import { providerId } from "../../render/kubeadm-config";
import { preparation } from "../../render/preparation";
import { withoutStackTrace } from "../run-error";
import { addressAt } from "./addresses";
import { reachServer, sshPlace, type ServerReachArgs } from "./ssh";
import { phaseStep } from "./phase-step";

export interface PrepareNodeArgs extends ServerReachArgs {
  readonly cluster: ClusterPlan;
  readonly pool: NodePool;
  readonly role: "master" | "worker";
  readonly server: PlannedServer;
}

/** A server on which kubeadm can run. */
export interface PreparedNode {
  /** Prefix of the names of its resources. */
  readonly name: string;
  /** Name of the VNFC. */
  readonly key: string;
  readonly role: "master" | "worker";
  readonly pool: NodePool;
  /** Exists once the node is prepared. */
  readonly prepared: pulumi.Resource;
  /** User for SSH. */
  readonly sshUser: string;
  readonly hostKey: pulumi.Output<string>;
  /** Address for SSH. */
  readonly sshHost: pulumi.Output<string>;
  /** The connection for scripts, known before the server exists. */
  readonly serverReach: pulumi.Output<Reach>;
  /** The same connection, known once SSH has answered and the node is prepared. */
  readonly reach: pulumi.Output<Reach>;
  readonly floatingIps: Node["floatingIps"];
  readonly serverId: pulumi.Output<string>;
  /** The provider ID of the Node, for a cloud controller manager; empty if the cluster has none. */
  readonly providerId: pulumi.Output<string>;
  /** Nova's availability zone of the server. */
  readonly zone: pulumi.Output<string>;
  readonly address: pulumi.Output<string>;
  /** The address of IPv6 in a dual-stack cluster. */
  readonly ipv6: pulumi.Output<string> | undefined;
  /** Neutron's route to its pods, if the cluster has such routes. */
  readonly podRoute: Node["podRoute"];
  /** Name of the Node object. */
  readonly nodeName: string;
}

/**
 * Installs the requirements of kubeadm on a server.
 * @throws RunError if its address is in a CIDR of the cluster
 */
export function prepareNode(
  name: string,
  args: PrepareNodeArgs,
  opts: pulumi.CustomResourceOptions,
): PreparedNode {
  const { cluster, pool, role, node, server } = args;
  const { serverId, hostKey, zone, floatingIps, podRoute } = node;
  const serverReach = reachServer(args);
  const address = addressAt(node, pool.nodeConnectionPoint, cluster);
  const data = address.apply((own) => preparation(cluster, { name: server.name, role, address: own }));
  const prepared = phaseStep(name, "prepare", { reach: serverReach, target: serverId, data }, opts);
  return {
    ...{ name, key: server.key, nodeName: server.name, role, pool, prepared },
    ...{ sshUser: pool.login.username, sshHost: sshPlace(args).host, hostKey },
    ...{ serverReach, reach: after(prepared, serverReach) },
    ...{ serverId, zone, floatingIps, podRoute, address },
    ipv6: cluster.ipv6 && node.ipv6Address(pool.nodeConnectionPoint),
    providerId: cluster.hasCloudProvider
      ? serverId.apply((id) => withoutStackTrace(() => providerId(id)))
      : pulumi.output(""),
  };
}
