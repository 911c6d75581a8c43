import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { Node } from "../openstack/node";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/model";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { remoteScript } from "../../remote/remote-script";
import { clientScriptText, SCRIPT_TIME_LIMIT, scriptText } from "../../remote/script-text";
import { asRoot, shellAssignments } from "../../remote/shell";
import { sshConnection } from "./prepared-node";

export interface LoginKeyArgs {
  readonly cluster: ClusterPlan;
  /** The servers by their key. */
  readonly nodes: Readonly<Record<string, Node>>;
  /** The instance's own. */
  readonly key: RotatedKeyPair;
}

/** A server and the login that goes to it. */
interface Host {
  readonly name: string;
  readonly cluster: ClusterPlan;
  readonly node: Node;
  readonly pool: Pick<NodePool, "sshConnectionPoint" | "login">;
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
  for (const { name, cluster, node, pool } of hostsOf(instance, args)) {
    remoteScript(
      `${name}-former-keys`,
      {
        connection: sshConnection({ cluster, pool, node, privateKey: args.key.privateKey }),
        script: SCRIPT,
        target: node.serverId,
        data: keyData("replace", pool, args.key),
      },
      opts,
    );
  }
}

const SCRIPT = "authorized-keys.sh";

/** Not by remoteScript, whose connection has one key: which one a server takes is not known before. */
function authorize(
  { name, cluster, node, pool }: Host,
  key: RotatedKeyPair,
  opts: pulumi.CustomResourceOptions,
) {
  const { all } = key;
  const stdin = pulumi
    .all([
      sshConnection({ cluster, pool, node, privateKey: key.privateKey }),
      all,
      pulumi.all(keyData("add", pool, key)),
    ])
    .apply(([{ host, hostKey }, keys, data]) =>
      pulumi.all([host, hostKey]).apply(
        ([address, hostKeyText]) =>
          shellAssignments({
            host: address,
            host_key: hostKeyText,
            login_user: pool.login.username,
            login_password: "",
            login_keys: keys.map(({ privateKey }) => privateKey.trimEnd()).join("\n"),
            remote_command: asRoot("create", SCRIPT_TIME_LIMIT),
            remote_script: shellAssignments(data) + scriptText(SCRIPT),
          }) + clientScriptText("authorize-key.sh"),
      ),
    );
  return new local.Command(
    `${name}-present-key`,
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
function hostsOf(instance: string, { cluster, nodes }: LoginKeyArgs): Host[] {
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
      return node === undefined ? [] : [{ name: `${instance}-${key}`, cluster, node, pool }];
    }),
  );
}
