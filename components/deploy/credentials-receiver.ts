import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { WorkloadPlan } from "../plan/model";
import type { OwnCluster } from "./kube-cluster";
import { scriptCommand } from "./objects/kube-command";

/** Time limit for a server that does not answer, in seconds. */
const PATIENCE = 300;

/**
 * Posts a cluster's kubeconfig and its description as a VIM to a web server, again when they change, and deletes them
 * there before the cluster is deleted (specification "Support Cluster API", sender of credentials).
 * @param name instance name of the cluster
 */
export function sendCredentials(
  name: string,
  receiver: NonNullable<WorkloadPlan["credentialsReceiver"]>,
  { kubeconfig, vimConnectionInfo, vimName }: OwnCluster,
  opts: pulumi.CustomResourceOptions,
): void {
  const { url, ca, headers = {} } = receiver;
  const revealed = Object.entries(headers).map(([key, value]) => [key, value.reveal()]);
  const where = { url, ca, headers: Object.fromEntries(revealed) as object, seconds: PATIENCE };
  const stdin = pulumi.all([kubeconfig, vimConnectionInfo]).apply(([config, vim]) =>
    JSON.stringify({
      receiver: where,
      name,
      credentials: { name, vimName, kubeconfig: config, vimConnectionInfo: vim },
    }),
  );
  const command = scriptCommand("send-credentials");
  const limit = `${PATIENCE + 120}s`;
  new local.Command(
    `${name}-credentials-receiver`,
    {
      create: command,
      delete: `${command} delete`,
      stdin: pulumi.secret(stdin),
      // another server does not have them, and the former one must delete them
      triggers: [url],
      logging: "stderr",
    },
    pulumi.mergeOptions(opts, { customTimeouts: { create: limit, update: limit, delete: limit } }),
  );
}
