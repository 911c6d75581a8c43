import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { Node } from "../openstack/node";
import { own } from "../../own";
import { addressFault } from "../../plan/kubeadm/addresses";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/model";
import { remoteScript, type Connection } from "../../remote/remote-script";
import { preparation } from "../../render/preparation";
import { noProxyList } from "../../render/site-proxy";

/** What the addresses of a cluster's nodes must not be in. */
type AddressBlocks = Pick<ClusterPlan, "podCidr" | "serviceCidr">;

/** What sshConnection needs. */
export interface SshArgs {
  readonly cluster: AddressBlocks;
  readonly pool: Pick<NodePool, "sshConnectionPoint" | "login">;
  readonly node: Node;
  /** The instance's own private key, used where the pool's login brings neither key nor password. */
  readonly privateKey: pulumi.Output<string>;
}

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
  readonly serverId: pulumi.Output<string>;
  /** Nova's availability zone of the server. */
  readonly zone: pulumi.Output<string>;
  readonly address: pulumi.Output<string>;
  /** Name of the Node object. */
  readonly nodeName: string;

  constructor(name: string, args: PreparedNodeArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:kubernetes:PreparedNode", name, {}, opts);
    const { cluster, pool, node, server } = args;
    const connection = sshConnection(args);
    const address = addressAt(node, pool.nodeConnectionPoint, cluster);
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
    this.serverId = node.serverId;
    this.zone = node.zone;
    this.address = address;
    this.nodeName = server.name;
    this.registerOutputs({ serverId: this.serverId, address });
  }
}

/**
 * Address of a node at one of its connection points; the plan has checked that it has it.
 * @throws Error, in the output, for an address that a node of the cluster cannot have
 */
export function addressAt(
  node: Node,
  connectionPoint: string,
  cluster: AddressBlocks,
): pulumi.Output<string> {
  const address = own(node.addresses, connectionPoint);
  if (address === undefined)
    throw new Error(`the plan gives no port for connection point ${connectionPoint}`);
  return usable(address, `${connectionPoint} of ${node.name}`, cluster);
}

/** @throws Error, in the output, for an address that a cluster's node or its API cannot have */
export function usable(
  address: pulumi.Output<string>,
  whose: string,
  cluster: AddressBlocks,
): pulumi.Output<string> {
  return address.apply((text) => {
    const fault = addressFault(whose, text, cluster);
    if (fault !== undefined) throw new Error(fault);
    return text;
  });
}

/** How SSH reaches a server: with the login's password or key, else with the instance's own key. */
export function sshConnection({ cluster, pool, node, privateKey }: SshArgs): pulumi.Output<Connection> {
  const { login } = pool;
  const credential =
    login.password !== undefined
      ? { password: pulumi.secret(login.password.reveal()) }
      : {
          privateKey: login.privateKey === undefined ? privateKey : pulumi.secret(login.privateKey.reveal()),
        };
  return pulumi.output({
    host: addressAt(node, pool.sshConnectionPoint, cluster),
    user: login.username,
    ...credential,
    hostKey: node.hostKey,
    // refused while the server boots: about 4.5 minutes in all
    dialErrorLimit: 60,
    perDialTimeout: 15,
  });
}
