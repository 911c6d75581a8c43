import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { Node } from "../openstack/node";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/model";
import { clientLogin } from "../../remote/client-login";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { remoteScript } from "../../remote/remote-script";
import { clientScriptText, SCRIPT_TIME_LIMIT, scriptText } from "../../remote/script-text";
import { asRoot, shellAssignments } from "../../remote/shell";
import { sshConnection, sshPlace, type ClusterJumpHost } from "./ssh";
import { stepName } from "../../steps";

export interface LoginKeyArgs {
  readonly cluster: ClusterPlan;
  /** The servers by their key. */
  readonly nodes: Readonly<Record<string, Node>>;
  readonly jumpHost: ClusterJumpHost | undefined;
  /** The instance's own. */
  readonly key: RotatedKeyPair;
}

/** A server and the login that goes to it. */
interface Host {
  readonly name: string;
  readonly cluster: ClusterPlan;
  readonly node: Node;
  readonly pool: Pick<NodePool, "sshConnectionPoint" | "login">;
  readonly jumpHost: ClusterJumpHost | undefined;
}

/**
 * Lets the instance's key in on every server that it is used for, where a rotation has made it anew.
 * @returns the private key, known once all of them take it: a load balancer passes SSH on to any master
 */
export function authorizeKey(
  instance: string,
  args: LoginKeyArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const { privateKey } = args.key;
  if (args.cluster.rotation.sshKey === undefined) return privateKey;
  const hosts = hostsOf(instance, args).filter(({ pool: { login } }) => usesKey(login));
  return hosts.reduce((key, host) => after(authorize(host, args.key, opts), key), privateKey);
}

/** What comes last: no server takes a former key any more. */
export function retireKeys(instance: string, args: LoginKeyArgs, opts: pulumi.CustomResourceOptions): void {
  if (args.cluster.rotation.sshKey === undefined) return;
  for (const { name, ...host } of hostsOf(instance, args)) {
    remoteScript(
      `${name}-former-keys`,
      {
        connection: sshConnection({ ...host, privateKey: args.key.privateKey }),
        script: SCRIPT,
        target: host.node.serverId,
        data: keyData("replace", host.pool, args.key),
      },
      opts,
    );
  }
}

const SCRIPT = "authorized-keys.sh";

/** Not by remoteScript, whose connection has one key: which one a server takes is not known before. */
function authorize(
  { name, node, pool, ...place }: Host,
  key: RotatedKeyPair,
  opts: pulumi.CustomResourceOptions,
) {
  const { host, jumpHost } = sshPlace({ node, pool, ...place });
  const stdin = pulumi
    .all([clientLogin(pool.login, key, jumpHost), host, node.hostKey, pulumi.all(keyData("add", pool, key))])
    .apply(
      ([client, address, host_key, data]) =>
        shellAssignments({
          ...client,
          host: address,
          host_key,
          remote_command: asRoot("create", SCRIPT_TIME_LIMIT),
          remote_script: shellAssignments(data) + scriptText(SCRIPT),
        }) + clientScriptText("authorize-key.sh"),
    );
  return new local.Command(
    stepName(name, "presentKey"),
    {
      create: "exec bash -s",
      stdin: pulumi.secret(stdin),
      triggers: [node.serverId],
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    pulumi.mergeOptions(opts, { additionalSecretOutputs: ["stdout", "stderr"] }),
  );
}

function keyData(step: "add" | "replace", { login }: Host["pool"], { all }: RotatedKeyPair) {
  return {
    step,
    public_key: all.apply(([present]) => present?.publicKey ?? ""),
    former: all.apply(([, ...former]) => former.map(({ publicKey }) => publicKey).join("\n")),
    login_user: usesKey(login) ? login.username : "",
  };
}

function usesKey({ password, privateKey }: NodePool["login"]): boolean {
  return password === undefined && privateKey === undefined;
}

/** Every server of the cluster, those of load balancers and storage too. */
function hostsOf(instance: string, { cluster, nodes, jumpHost }: LoginKeyArgs): Host[] {
  const { master, worker, api, storage } = cluster;
  const pools: (readonly [Host["pool"], readonly PlannedServer[]])[] = [
    [master, master.servers],
    [worker, worker.servers],
    ...(api.kind === "haproxy" && !api.onMasters ? [[api.balancers, api.balancers.servers] as const] : []),
    ...(storage === undefined ? [] : [[storage, [storage.server]] as const]),
  ];
  return pools.flatMap(([pool, servers]) =>
    servers.flatMap(({ key }) => {
      const node = nodes[key];
      return node === undefined ? [] : [{ name: `${instance}-${key}`, cluster, node, pool, jumpHost }];
    }),
  );
}
