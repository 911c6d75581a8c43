import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Node } from "../openstack/node";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { masterPool } from "../../plan/kubeadm/pools";
import type { WholeHeal } from "../../plan/heal";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { programCommand } from "../../remote/program-command";
import { reach } from "../../remote/reach";
import type { Evacuation } from "../../remote/evacuation";
import type { Reach } from "../../remote/reaching";
import { draining } from "../../render/node-data";
import { jumpHostOf, sshPlace } from "./ssh";

export interface EvacuationArgs {
  readonly instance: string;
  readonly cluster: ClusterPlan;
  readonly wholeHeal: WholeHeal;
  /** The servers by their key. */
  readonly nodes: Readonly<Record<string, Node>>;
  /** The SSH key of the instance. */
  readonly key: RotatedKeyPair;
}

const COMMAND = programCommand("remote/evacuation");

/**
 * A step before the creation of a cluster's servers. A new trigger value makes it check the existing cluster: it
 * evacuates workloads and volumes in use, or ends the run before anything changes.
 */
export function evacuation(
  name: string,
  args: EvacuationArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const { token } = args.wholeHeal;
  return new local.Command(
    name,
    {
      create: `${COMMAND} create`,
      update: `${COMMAND} update`,
      // without a trigger value, no change of the cluster changes this
      stdin: token === "" ? JSON.stringify({ healToken: token }) : pulumi.secret(dataOf(args)),
      logging: "none",
    },
    opts,
  );
}

/** Standard input of remote/evacuation.ts. */
function dataOf({ instance, cluster, wholeHeal, nodes, key }: EvacuationArgs): pulumi.Output<string> {
  const master = masterPool(cluster);
  const { token, evacuate, refusal = "" } = wholeHeal;
  // it precedes all servers, so it cannot wait for that of the jump host
  const jumpHost = jumpHostOf(cluster, nodes);
  const masters = master.servers
    .map((server) => nodes[server.key])
    .filter((node) => node !== undefined)
    .map((node) => {
      const { host, jumpHost: way } = sshPlace({ cluster, pool: master, node, jumpHost });
      return reach({
        hosts: [{ host, hostKey: node.hostKey }],
        ...{ login: master.login, key, jumpHost: way, onMaster: true },
      }).apply((known): Reach => ({ ...known, tries: 1 }));
    });
  const data = {
    evacuate: evacuate ? "yes" : "",
    drain_seconds: draining(cluster).drain_seconds,
  };
  return pulumi.all(masters).apply((all) =>
    JSON.stringify({
      ...{ instance, healToken: token, evacuate, refusal, masters: all, data },
    } satisfies Evacuation),
  );
}
