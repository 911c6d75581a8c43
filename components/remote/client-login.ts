import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";
import type { JumpHost } from "./jump-host";
import type { RotatedKeyPair } from "./key-pair";

/**
 * A login as the shell variables of ssh-client.sh, and the way there; secret.
 *
 * @param key the instance's own, for a login with neither password nor key. All keys that it has had are tried: which
 * of them a server takes depends on when the server was made
 * @param jumpHost undefined for none
 */
export function clientLogin(
  login: Login,
  key: Pick<RotatedKeyPair, "all">,
  jumpHost: JumpHost | undefined,
): pulumi.Output<Readonly<Record<string, string>>> {
  const own = key.all.apply((keys) => keys.map((one) => one.privateKey.trimEnd()).join("\n"));
  const data = {
    login_user: login.username,
    login_password: login.password?.reveal() ?? "",
    login_keys: keysOf(login, own),
    ...(jumpHost && {
      jump_host: jumpHost.host,
      jump_port: String(jumpHost.port),
      jump_host_key: jumpHost.hostKey,
      jump_user: jumpHost.login.username,
      jump_password: jumpHost.login.password?.reveal() ?? "",
      jump_keys: keysOf(jumpHost.login, own),
    }),
  };
  return pulumi.secret(pulumi.all(data).apply((all): Record<string, string> => ({ ...all })));
}

function keysOf({ password, privateKey }: Login, own: pulumi.Output<string>): pulumi.Input<string> {
  return password === undefined ? (privateKey?.reveal().trimEnd() ?? own) : "";
}
