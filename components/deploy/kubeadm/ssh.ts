import * as pulumi from "@pulumi/pulumi";
import { own } from "../../base/own";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { reach, type JumpHost } from "../../remote/reach";
import type { Reach } from "../../remote/reaching";
import type { ScriptStepArgs } from "../../remote/script-step";
import type { Node } from "../openstack/node";
import { addressAt, type AddressBlocks } from "./addresses";

/** The jump host of a cluster. */
export interface ClusterJumpHost extends JumpHost {
  /** The jump host as a server of the cluster. Undefined: it is another host. */
  readonly node: Node | undefined;
}

/** The address of a server for SSH, and the jump host to it. */
export interface SshPlace {
  readonly host: pulumi.Output<string>;
  readonly jumpHost: JumpHost | undefined;
}

/** Arguments of sshPlace. */
export interface SshPlaceArgs {
  readonly cluster: AddressBlocks;
  readonly pool: Pick<NodePool, "sshConnectionPoint">;
  readonly node: Node;
  readonly jumpHost: ClusterJumpHost | undefined;
}

/** Arguments of reachServer. */
export interface ServerReachArgs extends SshPlaceArgs {
  readonly pool: Pick<NodePool, "sshConnectionPoint" | "login">;
  /** The SSH key of the instance, used if the pool's login has neither key nor password. */
  readonly key: Pick<RotatedKeyPair, "all">;
}

/** The jump host of the plan. @param nodes the servers by their key */
export function jumpHostOf(
  cluster: ClusterPlan,
  nodes: Readonly<Record<string, Node>>,
): ClusterJumpHost | undefined {
  const { jumpHost: planned } = cluster;
  if (planned === undefined) return undefined;
  switch (planned.kind) {
    case "host": {
      const { host, port, login, hostKey } = planned;
      return { host: pulumi.output(host), port, login, hostKey: pulumi.output(hostKey), node: undefined };
    }
    case "vnfc": {
      const node = nodes[planned.vnfc];
      if (node === undefined) throw new Error(`the plan has no server ${planned.vnfc}`);
      const { host } = sshPlace({ cluster, pool: planned, node, jumpHost: undefined });
      return { host, port: 22, login: planned.login, hostKey: node.hostKey, node };
    }
  }
}

/**
 * The address of a server for SSH. A floating IP is reached directly, and so is a jump host; other servers are reached
 * through the jump host, if there is one.
 */
export function sshPlace({ cluster, pool, node, jumpHost }: SshPlaceArgs): SshPlace {
  const floatingIp = own(node.floatingIps, pool.sshConnectionPoint);
  if (floatingIp !== undefined) return { host: floatingIp, jumpHost: undefined };
  const host = addressAt(node, pool.sshConnectionPoint, cluster);
  return { host, jumpHost: jumpHost?.node === node ? undefined : jumpHost };
}

/** The connection for scripts to a server: with the login's password or key, else with the key of the instance. */
export function reachServer({ pool, node, key, ...place }: ServerReachArgs): pulumi.Output<Reach> {
  const { host, jumpHost } = sshPlace({ pool, node, ...place });
  return reach({ hosts: [{ host, hostKey: node.hostKey }], login: pool.login, key, jumpHost });
}

/** Time limit of a script before its server is deleted, in seconds. */
const LEAVING_SECONDS = 90;

/**
 * Arguments of a script that runs on a server before the server is deleted. A server that does not answer is deleted
 * without it. Nova could shut a server down first (`stopBeforeDestroy`), but if its compute host is down Nova waits for
 * half an hour and fails.
 */
export function leaving(
  ofServer: pulumi.Output<Reach>,
): Pick<ScriptStepArgs, "reach" | "create" | "undo" | "leaves"> {
  const once = ofServer.apply((known): Reach => ({ ...known, tries: 1, seconds: LEAVING_SECONDS }));
  return { reach: once, create: false, undo: true, leaves: true };
}
