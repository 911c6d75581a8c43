import * as pulumi from "@pulumi/pulumi";
import type { Node } from "../openstack/node";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/servers/model";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { addressAt } from "./addresses";
import type { PreparedNode } from "./prepared-node";
import { leaving, reachServer, type ClusterJumpHost } from "./ssh";
import { loadBalancerData } from "../../render/load-balancer-data";
import { phaseStep } from "./phase-step";

export interface LoadBalancersArgs {
  readonly cluster: ClusterPlan;
  readonly nodeOf: (server: PlannedServer) => Node;
  readonly jumpHost: ClusterJumpHost | undefined;
  readonly masters: readonly PreparedNode[];
  /** Returns the virtual IP of the API's connection point. */
  readonly virtualIp: (connectionPoint: string) => pulumi.Output<string>;
  /** The SSH key of the instance. */
  readonly key: RotatedKeyPair;
}

/** A load balancer on a separate server or on a master. */
export interface LoadBalancer {
  /** Name of the VNFC. */
  readonly key: string;
  /** The resource that exists once HAProxy and keepalived run. */
  readonly runs: pulumi.Resource;
}

/** HAProxy and keepalived in front of the masters, if the plan has them. */
export function loadBalancers(
  name: string,
  { cluster, nodeOf, jumpHost, masters, virtualIp, key }: LoadBalancersArgs,
  child: pulumi.CustomResourceOptions,
): LoadBalancer[] {
  const { api } = cluster;
  if (api.kind !== "haproxy") return [];
  const pool = api.balancers;
  const prepared = masters.map((master) => master.prepared);
  const addressOf = (server: PlannedServer) => addressAt(nodeOf(server), pool.nodeConnectionPoint, cluster);
  return pool.servers.map((server, i) => {
    const node = nodeOf(server);
    const { serverId } = node;
    const reach = reachServer({ cluster, pool, node, jumpHost, key });
    // a master hands over as a member of its cluster; the load balancer is removed before, and set up again on a server
    // that stays
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
    const data = pulumi
      .output({
        address: addressOf(server),
        addresses: pulumi.all(pool.servers.map(addressOf)),
        virtualIp: virtualIp(api.virtualIp.connectionPoint),
        virtualRouterId: api.virtualRouterId,
        // with another secret the load balancers would not accept each other until all have it
        secret: key.origin,
        masters: pulumi.all(masters.map(({ nodeName, address }) => ({ name: nodeName, address }))),
      })
      .apply((known) => loadBalancerData(cluster, known));
    const runs = phaseStep(
      `${name}-${server.key}`,
      "load-balancer",
      { reach, target: serverId, data },
      { ...child, dependsOn: [...handover, ...(api.onMasters ? prepared.slice(i, i + 1) : [])] },
    );
    return { key: server.key, runs };
  });
}
