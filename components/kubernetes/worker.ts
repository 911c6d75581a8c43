import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../plan/model";
import { remoteScript } from "../remote/remote-script";
import { renderJoinConfig } from "./kubeadm-config";
import type { FirstMaster } from "./first-master";
import type { PreparedNode } from "./prepared-node";

export interface WorkerArgs {
  readonly cluster: ClusterPlan;
  readonly node: PreparedNode;
  readonly master: FirstMaster;
}

/**
 * A worker's membership of its cluster. Its end is here too: when the server goes or is replaced, a master
 * drains the node and removes the Node object first.
 */
export class Worker extends pulumi.ComponentResource {
  /** Name of the Node; known once it is Ready. */
  readonly ready: pulumi.Output<string>;

  constructor(name: string, args: WorkerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:kubernetes:Worker", name, {}, opts);
    const { cluster, node, master } = args;
    const child = { parent: this };
    const about = { target: node.serverId };
    const token = remoteScript(
      `${name}-join-token`,
      {
        ...about,
        connection: master.connection,
        script: "create-join-token.sh",
        data: { node_name: node.nodeName },
      },
      child,
    ).stdout.apply((text) => text.trim());
    const joined = remoteScript(
      `${name}-join`,
      {
        ...about,
        connection: node.connection,
        script: "join-worker.sh",
        data: {
          join_config: pulumi
            .all([node.address, master.apiAddress, token, master.access])
            .apply(([nodeAddress, apiAddress, joinToken, access]) =>
              renderJoinConfig(cluster, {
                nodeName: node.nodeName,
                nodeAddress,
                apiAddress,
                token: joinToken,
                caCertHash: access.caCertHash,
              }),
            ),
        },
      },
      child,
    );
    const member = remoteScript(
      `${name}-member`,
      {
        ...about,
        connection: master.connection,
        script: "wait-for-node.sh",
        data: { node_name: node.nodeName, join_token: token },
        undo: true,
      },
      // a cluster that goes as a whole is not drained node by node
      { ...child, dependsOn: [joined], deletedWith: master.server },
    );
    this.ready = member.id.apply(() => node.nodeName);
    this.registerOutputs({ ready: this.ready });
  }
}
