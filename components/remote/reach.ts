import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";
import type { RotatedKeyPair } from "./key-pair";
import type { Reach } from "./reaching";
import type * as client from "./ssh-client";

/** A host that SSH goes to, and the public host key that it must have. */
export interface Host {
  readonly host: pulumi.Output<string>;
  readonly hostKey: pulumi.Output<string>;
}

/** A host that SSH goes through on its way to a server. */
export interface JumpHost extends Host {
  readonly port: number;
  readonly login: Login;
}

export interface ReachArgs {
  /** Any of them will do. They are data of each script: where one changes, all of the scripts run again. */
  readonly hosts: readonly Host[];
  readonly login: Login;
  /** The instance's own, for a login with neither password nor key. */
  readonly key: Pick<RotatedKeyPair, "all">;
  readonly jumpHost: JumpHost | undefined;
  /** True if only a master of a cluster will do. @default any host */
  readonly onMaster?: boolean;
}

/** As long as a server that boots is waited for: five minutes where it refuses, fifteen where nothing answers. */
const TRIES = 60;
const SCRIPT_SECONDS = 25 * 60;

/** How scripts get to a server, or to any of several; secret. */
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

/** All keys that an instance has had are tried: which of them a server takes depends on when the server was made. */
function loginOf(
  { username: user, password, privateKey }: Login,
  own: pulumi.Output<string[]>,
): pulumi.Input<client.Login> {
  if (password !== undefined) return { user, password: password.reveal() };
  if (privateKey !== undefined) return { user, keys: [privateKey.reveal()] };
  return own.apply((keys) => ({ user, keys }));
}
