import * as pulumi from "@pulumi/pulumi";
import { own } from "../../own";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import { credentialOf, proxyConnection, type JumpHost } from "../../remote/jump-host";
import type { Connection } from "../../remote/remote-script";
import type { Node } from "../openstack/node";
import { addressAt, type AddressBlocks } from "./addresses";

/** The jump host of a cluster. */
export interface ClusterJumpHost extends JumpHost {
  /** Undefined: it is no server of the cluster. */
  readonly node: Node | undefined;
}

/** Where SSH finds a server, and through what. */
export interface SshPlace {
  readonly host: pulumi.Output<string>;
  readonly jumpHost: JumpHost | undefined;
}

/** What sshPlace needs. */
export interface SshPlaceArgs {
  readonly cluster: AddressBlocks;
  readonly pool: Pick<NodePool, "sshConnectionPoint">;
  readonly node: Node;
  readonly jumpHost: ClusterJumpHost | undefined;
}

/** What sshConnection needs. */
export interface SshArgs extends SshPlaceArgs {
  readonly pool: Pick<NodePool, "sshConnectionPoint" | "login">;
  /** The instance's own private key, used where the pool's login brings neither key nor password. */
  readonly privateKey: pulumi.Output<string>;
}

/** The jump host that the plan has. @param nodes the servers by their key */
export function jumpHostOf(
  cluster: ClusterPlan,
  nodes: Readonly<Record<string, Node>>,
): ClusterJumpHost | undefined {
  const { jumpHost: planned } = cluster;
  if (planned === undefined) return undefined;
  if ("host" in planned) {
    const { host, port, login, hostKey } = planned;
    return { host: pulumi.output(host), port, login, hostKey: pulumi.output(hostKey), node: undefined };
  }
  const node = nodes[planned.vnfc];
  if (node === undefined) throw new Error(`the plan has no server ${planned.vnfc}`);
  const { host } = sshPlace({ cluster, pool: planned, node, jumpHost: undefined });
  return { host, port: 22, login: planned.login, hostKey: node.hostKey, node };
}

/** A floating IP is reached as it is, and a jump host too; other servers through the jump host, where there is one. */
export function sshPlace({ cluster, pool, node, jumpHost }: SshPlaceArgs): SshPlace {
  const floatingIp = own(node.floatingIps, pool.sshConnectionPoint);
  if (floatingIp !== undefined) return { host: floatingIp, jumpHost: undefined };
  const host = addressAt(node, pool.sshConnectionPoint, cluster);
  return { host, jumpHost: jumpHost?.node === node ? undefined : jumpHost };
}

/** How SSH reaches a server: with the login's password or key, else with the instance's own key. */
export function sshConnection({ pool, node, privateKey, ...place }: SshArgs): pulumi.Output<Connection> {
  const { host, jumpHost } = sshPlace({ pool, node, ...place });
  return pulumi.output({
    host,
    user: pool.login.username,
    ...credentialOf(pool.login, privateKey),
    hostKey: node.hostKey,
    // refused while the server boots: about 4.5 minutes in all
    dialErrorLimit: 60,
    perDialTimeout: 15,
    ...(jumpHost === undefined ? {} : { proxy: proxyConnection(jumpHost, privateKey) }),
  });
}
