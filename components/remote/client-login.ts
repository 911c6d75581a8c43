import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";
import type { RotatedKeyPair } from "./key-pair";

/**
 * A login as ssh-client.sh has it; secret.
 *
 * @param key the instance's own, where the login brings neither password nor key: each of it, as a server takes that
 * of its time
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
