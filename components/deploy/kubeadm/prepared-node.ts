import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { Node } from "../openstack/node";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/model";
import { remoteScript, type Connection } from "../../remote/remote-script";
import { providerId } from "../../render/kubeadm-config";
import { preparation } from "../../render/preparation";
import { noProxyList } from "../../render/site-proxy";
import { addressAt } from "./addresses";
import { sshConnection, type SshArgs } from "./ssh";

export interface PreparedNodeArgs extends SshArgs {
  readonly cluster: ClusterPlan;
  readonly pool: NodePool;
  readonly role: "master" | "worker";
  readonly server: PlannedServer;
}

/** A server on which kubeadm can run. */
export class PreparedNode extends pulumi.ComponentResource {
  /** What the names of its resources begin with. */
  readonly name: string;
  /** Name of the VNFC. */
  readonly key: string;
  readonly role: "master" | "worker";
  /** Known before the server is. */
  readonly sshConnection: pulumi.Output<Connection>;
  /** Known once SSH answered and the node is prepared. */
  readonly connection: pulumi.Output<Connection>;
  readonly floatingIps: Node["floatingIps"];
  readonly serverId: pulumi.Output<string>;
  /** By which a cloud controller manager knows the Node; empty where the cluster has none. */
  readonly providerId: pulumi.Output<string>;
  /** Nova's availability zone of the server. */
  readonly zone: pulumi.Output<string>;
  readonly address: pulumi.Output<string>;
  /** That of IPv6, where the cluster has dual stack. */
  readonly ipv6: pulumi.Output<string> | undefined;
  /** The route that leads to its pods, where Neutron's do. */
  readonly podRoute: Node["podRoute"];
  /** Name of the Node object. */
  readonly nodeName: string;

  constructor(name: string, args: PreparedNodeArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:kubernetes:PreparedNode", name, {}, opts);
    const { cluster, pool, node, server } = args;
    const connection = sshConnection(args);
    const address = addressAt(node, pool.nodeConnectionPoint, cluster);
    const ipv6 = cluster.ipv6 && node.ipv6Address(pool.nodeConnectionPoint);
    const prepared = remoteScript(
      `${name}-prepare`,
      {
        connection,
        script: "prepare-node.sh",
        target: node.serverId,
        data: {
          ...preparation(cluster, args.role, server.name),
          no_proxy_list: address.apply((own) => noProxyList(cluster, own)),
        },
      },
      { parent: this },
    );
    this.name = name;
    this.key = server.key;
    this.role = args.role;
    this.sshConnection = connection;
    this.connection = after(prepared, connection);
    this.floatingIps = node.floatingIps;
    this.serverId = node.serverId;
    this.providerId = cluster.hasCloudProvider ? node.serverId.apply(providerId) : pulumi.output("");
    this.zone = node.zone;
    this.address = address;
    this.ipv6 = ipv6;
    this.podRoute = node.podRoute;
    this.nodeName = server.name;
    this.registerOutputs({ serverId: this.serverId, address });
  }
}
