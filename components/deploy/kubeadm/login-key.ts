import type * as pulumi from "@pulumi/pulumi";
import type { Node } from "../openstack/node";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { reachServer, type ClusterJumpHost } from "./ssh";
import { phaseStep } from "./phase-step";

export interface LoginKeyArgs {
  readonly cluster: ClusterPlan;
  /** The servers by their key. */
  readonly nodes: Readonly<Record<string, Node>>;
  readonly jumpHost: ClusterJumpHost | undefined;
  /** The SSH key of the instance. */
  readonly key: RotatedKeyPair;
}

/** A server with its login. */
interface Host {
  readonly name: string;
  readonly cluster: ClusterPlan;
  readonly node: Node;
  readonly pool: Pick<NodePool, "sshConnectionPoint" | "login">;
  readonly jumpHost: ClusterJumpHost | undefined;
}

/**
 * Authorizes a rotated key of the instance on every server that uses it, and removes the former keys. It runs last:
 * steps that the run deletes before have only the former keys.
 */
export function retireKeys(instance: string, args: LoginKeyArgs, opts: pulumi.CustomResourceOptions): void {
  if (args.cluster.rotation.sshKey === undefined) return;
  for (const { name, ...host } of hostsOf(instance, args)) {
    phaseStep(
      name,
      "former-keys",
      {
        reach: reachServer({ ...host, key: args.key }),
        target: host.node.serverId,
        data: keyData(host.pool, args.key),
      },
      opts,
    );
  }
}

function keyData({ login }: Host["pool"], { all }: RotatedKeyPair) {
  return {
    public_key: all.apply(([present]) => present?.publicKey ?? ""),
    former: all.apply(([, ...former]) => former.map(({ publicKey }) => publicKey).join("\n")),
    login_user: usesKey(login) ? login.username : "",
  };
}

function usesKey({ password, privateKey }: NodePool["login"]): boolean {
  return password === undefined && privateKey === undefined;
}

/** Every server of the cluster, also those of load balancers and storage. */
function hostsOf(instance: string, { cluster, nodes, jumpHost }: LoginKeyArgs): Host[] {
  return cluster.pools.flatMap((pool) =>
    pool.servers.flatMap(({ key }) => {
      const node = nodes[key];
      return node === undefined ? [] : [{ name: `${instance}-${key}`, cluster, node, pool, jumpHost }];
    }),
  );
}
