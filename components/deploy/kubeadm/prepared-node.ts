import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { Node } from "../openstack/node";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/model";
import type { Reach } from "../../remote/reaching";
import { providerId } from "../../render/kubeadm-config";
import { preparation } from "../../render/preparation";
import { withoutStackTrace } from "../run-error";
import { addressAt } from "./addresses";
import { reachServer, sshPlace, type ServerReachArgs } from "./ssh";
import { phaseStep } from "./phase-step";

export interface PreparedNodeArgs extends ServerReachArgs {
  readonly cluster: ClusterPlan;
  readonly pool: NodePool;
  readonly role: "master" | "worker";
  readonly server: PlannedServer;
}

/** A server on which kubeadm can run. */
export class PreparedNode extends pulumi.ComponentResource {
  /** Prefix of the names of its resources. */
  readonly name: string;
  /** Name of the VNFC. */
  readonly key: string;
  readonly role: "master" | "worker";
  readonly pool: NodePool;
  /** Address for SSH. */
  readonly sshHost: pulumi.Output<string>;
  readonly sshUser: string;
  readonly hostKey: pulumi.Output<string>;
  /** The connection for scripts, known before the server exists. */
  readonly serverReach: pulumi.Output<Reach>;
  /** The same connection, known once SSH has answered and the node is prepared. */
  readonly reach: pulumi.Output<Reach>;
  readonly floatingIps: Node["floatingIps"];
  readonly serverId: pulumi.Output<string>;
  /** The id of the server for a cloud controller manager; empty if the cluster has none. */
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

  constructor(name: string, args: PreparedNodeArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:kubernetes:PreparedNode", name, {}, opts);
    const { cluster, pool, node, server } = args;
    const reach = reachServer(args);
    const address = addressAt(node, pool.nodeConnectionPoint, cluster);
    const ipv6 = cluster.ipv6 && node.ipv6Address(pool.nodeConnectionPoint);
    const prepared = phaseStep(
      name,
      "prepare",
      {
        reach,
        target: node.serverId,
        data: address.apply((own) =>
          preparation(cluster, { name: server.name, role: args.role, address: own }),
        ),
      },
      { parent: this },
    );
    this.name = name;
    this.key = server.key;
    this.role = args.role;
    this.pool = pool;
    this.sshHost = sshPlace(args).host;
    this.sshUser = pool.login.username;
    this.hostKey = node.hostKey;
    this.serverReach = reach;
    this.reach = after(prepared, reach);
    this.floatingIps = node.floatingIps;
    this.serverId = node.serverId;
    this.providerId = cluster.hasCloudProvider
      ? node.serverId.apply((id) => withoutStackTrace(() => providerId(id)))
      : pulumi.output("");
    this.zone = node.zone;
    this.address = address;
    this.ipv6 = ipv6;
    this.podRoute = node.podRoute;
    this.nodeName = server.name;
    this.registerOutputs({ serverId: this.serverId, address });
  }
}
