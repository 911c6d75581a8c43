import { local, type remote } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";
import { clientLogin } from "./client-login";
import type { JumpHost } from "./jump-host";
import type { RotatedKeyPair } from "./key-pair";
import { remoteScript, SCRIPT_OPTIONS, type Connection, type RemoteScriptArgs } from "./remote-script";
import { clientScriptText, SCRIPT_TIME_LIMIT, scriptText } from "./script-text";
import { asRoot, shellAssignments } from "./shell";

/** Where scripts about a cluster run: on its sole master, or on any of several that answers. */
export type Route = { readonly connection: pulumi.Input<Connection> } | AnyMaster;

export interface AnyMaster {
  /** Their addresses. They are data of each script: where one changes, all of the scripts run again. */
  readonly masters: readonly pulumi.Output<string>[];
  /** The SSH server on the way to them. Undefined for none. */
  readonly jumpHost: JumpHost | undefined;
  /** The host key, which is the same for all of them. */
  readonly hostKey: pulumi.Output<string>;
  readonly login: Login;
  /** The instance's own key, for a login with neither password nor key. */
  readonly key: RotatedKeyPair;
}

/** Runs one of our scripts about a cluster on one of its masters, as remoteScript does on a host. */
export function clusterScript(
  name: string,
  route: Route,
  args: Omit<RemoteScriptArgs, "connection">,
  opts: pulumi.CustomResourceOptions,
): remote.Command | local.Command {
  return "connection" in route
    ? remoteScript(name, { ...args, ...route }, opts)
    : scriptOnAnyMaster(name, route, args, opts);
}

/** remoteScript is of no use here: its connection has one host, and where that breaks the script has failed. */
function scriptOnAnyMaster(
  name: string,
  { masters, jumpHost, hostKey, login, key }: AnyMaster,
  { script, data, target, create, undo }: Omit<RemoteScriptArgs, "connection">,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const remoteText = scriptText(script);
  const stdin = pulumi
    .all([clientLogin(login, key, jumpHost), hostKey, pulumi.all([...masters]), pulumi.all(data)])
    .apply(
      ([client, host_key, addresses, values]) =>
        shellAssignments({
          ...client,
          host_key,
          masters: addresses.join(" "),
          remote_command: asRoot("@VERB@", SCRIPT_TIME_LIMIT),
          remote_script: shellAssignments(values) + remoteText,
        }) + clientScriptText("any-master.sh"),
    );
  return new local.Command(
    name,
    {
      ...(create === false ? {} : { create: "exec bash -s create", update: "exec bash -s update" }),
      ...(undo ? { delete: "exec bash -s delete" } : {}),
      stdin: pulumi.secret(stdin),
      triggers: [target],
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    pulumi.mergeOptions(opts, SCRIPT_OPTIONS),
  );
}
