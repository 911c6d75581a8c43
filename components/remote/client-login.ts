import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";
import type { RotatedKeyPair } from "./key-pair";

/**
 * A login as the shell variables of ssh-client.sh; secret.
 *
 * @param key the instance's own, for a login with neither password nor key. All keys that it has had are tried: which
 * of them a server takes depends on when the server was made
 */
export function clientLogin(
  { username, password, privateKey }: Login,
  key: Pick<RotatedKeyPair, "all">,
): pulumi.Output<Readonly<Record<"login_user" | "login_password" | "login_keys", string>>> {
  const own = key.all.apply((keys) => keys.map((one) => one.privateKey.trimEnd()).join("\n"));
  return pulumi.secret(
    pulumi.output({
      login_user: username,
      login_password: password?.reveal() ?? "",
      login_keys: password === undefined ? (privateKey?.reveal().trimEnd() ?? own) : "",
    }),
  );
}
