import * as pulumi from "@pulumi/pulumi";
import type { Node } from "../openstack/node";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/model";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { loadBalancer } from "./load-balancer";
import { addressAt } from "./addresses";
import type { PreparedNode } from "./prepared-node";
import { leaving, reachServer, type ClusterJumpHost } from "./ssh";
import { phaseStep } from "./phase-step";

export interface LoadBalancersArgs {
  readonly cluster: ClusterPlan;
  readonly nodeOf: (server: PlannedServer) => Node;
  readonly jumpHost: ClusterJumpHost | undefined;
  readonly masters: readonly PreparedNode[];
  /** Of the connection point that the API is at. */
  readonly virtualIp: (connectionPoint: string) => pulumi.Output<string>;
  /** The instance's own SSH key. */
  readonly key: RotatedKeyPair;
}

/** One of the servers in front of the masters, or one of these. */
export interface LoadBalancer {
  /** Name of the VNFC. */
  readonly key: string;
  /** What is there once HAProxy and keepalived run. */
  readonly runs: pulumi.Resource;
}

/** HAProxy and keepalived in front of the masters, where the plan has them. */
export function loadBalancers(
  name: string,
  { cluster, nodeOf, jumpHost, masters, virtualIp, key }: LoadBalancersArgs,
  child: pulumi.CustomResourceOptions,
): LoadBalancer[] {
  const { api } = cluster;
  if (api.kind !== "haproxy") return [];
  const pool = api.balancers;
  const addressOf = (server: PlannedServer) => addressAt(nodeOf(server), pool.nodeConnectionPoint, cluster);
  return pool.servers.map((server, i) => {
    const node = nodeOf(server);
    const { serverId } = node;
    const reach = reachServer({ cluster, pool, node, jumpHost, key });
    // a master hands over as a member of its cluster. What runs is undone before, and runs again on a server that stays
    const handover = api.onMasters
      ? []
      : [
          phaseStep(
            `${name}-${server.key}`,
            "handover",
            { ...leaving(reach), data: {}, target: serverId },
            child,
          ),
        ];
    const runs = loadBalancer(
      `${name}-${server.key}`,
      {
        reach,
        serverId,
        address: addressOf(server),
        addresses: pulumi.all(pool.servers.map(addressOf)),
        virtualIp: virtualIp(api.virtualIp.connectionPoint),
        virtualRouterId: api.virtualRouterId,
        // the load balancers would fall out with each other while a new one reaches them
        secret: key.origin,
        apiPort: api.port,
        cluster,
        masters: masters.map(({ nodeName, address }) => ({ name: nodeName, address })),
      },
      { ...child, dependsOn: [...handover, ...(api.onMasters ? masters.slice(i, i + 1) : [])] },
    );
    return { key: server.key, runs };
  });
}
