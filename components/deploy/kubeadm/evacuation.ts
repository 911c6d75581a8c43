import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Node } from "../openstack/node";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { WholeHeal } from "../../plan/model";
import { clientLogin } from "../../remote/client-login";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { clientScriptText, SCRIPT_TIME_LIMIT, scriptText } from "../../remote/script-text";
import { asRoot, shellAssignments } from "../../remote/shell";
import { draining } from "./member";
import { jumpHostOf, sshPlace } from "./ssh";

export interface EvacuationArgs {
  readonly instance: string;
  readonly cluster: ClusterPlan;
  readonly wholeHeal: WholeHeal;
  /** The servers by their key. */
  readonly nodes: Readonly<Record<string, Node>>;
  /** The instance's own SSH key. */
  readonly key: RotatedKeyPair;
}

/**
 * Stands in front of all servers of a cluster. With a new token it asks the cluster that is there: what is in
 * use ends the run before anything is touched, or is evacuated.
 */
export function evacuation(
  name: string,
  args: EvacuationArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  return new local.Command(
    name,
    {
      create: "exec bash -s create",
      update: "exec bash -s update",
      // until there is a token, nothing that changes on the cluster changes this
      stdin: args.wholeHeal.token === "" ? `heal_token=\n${SCRIPT}` : pulumi.secret(withData(args)),
      logging: "none",
    },
    opts,
  );
}

function withData({ instance, cluster, wholeHeal, nodes, key }: EvacuationArgs): pulumi.Output<string> {
  const { master } = cluster;
  const evacuate = wholeHeal.evacuate ? "yes" : "";
  const { drain_seconds } = draining(cluster);
  // it comes before all servers, so it cannot wait for that of the jump host
  const jumpHost = jumpHostOf(cluster, nodes);
  const places = master.servers
    .map((server) => nodes[server.key])
    .filter((node) => node !== undefined)
    .map((node) => ({ node, ...sshPlace({ cluster, pool: master, node, jumpHost }) }));
  const masters = places.map(({ node, host }) => pulumi.interpolate`${host} ${node.hostKey}`);
  const behind = places.find((place) => place.jumpHost !== undefined)?.jumpHost;
  const data = {
    instance,
    heal_token: wholeHeal.token,
    evacuate,
    refusal: wholeHeal.refusal ?? "",
    masters: pulumi.all(masters).apply((lines) => lines.join("\n")),
    in_use: asRoot("create", SCRIPT_TIME_LIMIT),
    in_use_stdin: shellAssignments({ evacuate, drain_seconds }) + scriptText("in-use.sh"),
  };
  return pulumi
    .all([pulumi.all(data), clientLogin(master.login, key, behind)])
    .apply(([it, login]) => shellAssignments({ ...login, ...it }) + SCRIPT);
}

const SCRIPT = clientScriptText("evacuation.sh");
