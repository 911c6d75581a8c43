import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";
import type { RotatedKeyPair } from "./key-pair";
import type { Reach } from "./reaching";
import type * as client from "./ssh-client";

/** A host for SSH, with the public host key that it must have. */
export interface Host {
  readonly host: pulumi.Output<string>;
  readonly hostKey: pulumi.Output<string>;
}

/** A jump host on the way to a server. */
export interface JumpHost extends Host {
  readonly port: number;
  readonly login: Login;
}

export interface ReachArgs {
  /** Hosts, one of which runs the script. They are data of each script: if they change, all scripts run again. */
  readonly hosts: readonly Host[];
  readonly login: Login;
  /** The SSH key of the instance, for a login with neither password nor key. */
  readonly key: Pick<RotatedKeyPair, "all">;
  readonly jumpHost: JumpHost | undefined;
  /** True if the host must be a control-plane node that is in its cluster. @default any host */
  readonly onMaster?: boolean;
}

/**
 * Number of tries, five seconds apart, which suffices for a server that boots: five minutes if it refuses connections,
 * fifteen if nothing answers.
 */
const TRIES = 60;
const SCRIPT_SECONDS = 25 * 60;

/** The connection of scripts to a server, or to any of several; secret. */
export function reach({ hosts, login, key, jumpHost, onMaster = false }: ReachArgs): pulumi.Output<Reach> {
  const own = key.all.apply((keys) => keys.map(({ privateKey }) => privateKey));
  return pulumi.secret({
    hosts,
    login: loginOf(login, own),
    ...(jumpHost && {
      jumpHost: {
        host: jumpHost.host,
        port: jumpHost.port,
        hostKey: jumpHost.hostKey,
        login: loginOf(jumpHost.login, own),
      },
    }),
    ...(onMaster && { onMaster }),
    tries: TRIES,
    seconds: SCRIPT_SECONDS,
  });
}

/** The login with all keys of an instance: a server accepts the one that was current when it was created. */
function loginOf(
  { username: user, password, privateKey }: Login,
  own: pulumi.Output<string[]>,
): pulumi.Input<client.Login> {
  if (password !== undefined) return { user, password: password.reveal() };
  if (privateKey !== undefined) return { user, keys: [privateKey.reveal()] };
  return own.apply((keys) => ({ user, keys }));
}
