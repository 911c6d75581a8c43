import type { types } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";

/** A host that SSH goes through on its way to a server. */
export interface JumpHost {
  readonly host: pulumi.Output<string>;
  readonly port: number;
  readonly login: Login;
  /** The public SSH host key that it must have. */
  readonly hostKey: pulumi.Output<string>;
}

/** Password or private key of a login. @param own the instance's private key, where it brings neither */
export function credentialOf({ password, privateKey }: Login, own: pulumi.Output<string>) {
  if (password !== undefined) return { password: pulumi.secret(password.reveal()) };
  return { privateKey: privateKey === undefined ? own : pulumi.secret(privateKey.reveal()) };
}

/** A jump host as the command plugin has it, which checks its host key too. @param own the instance's private key */
export function proxyConnection(
  { host, port, login, hostKey }: JumpHost,
  own: pulumi.Output<string>,
): types.input.remote.ProxyConnectionArgs {
  return {
    host,
    port,
    user: login.username,
    ...credentialOf(login, own),
    hostKey,
    // as long as a server that boots is waited for
    dialErrorLimit: 60,
    perDialTimeout: 15,
  };
}
