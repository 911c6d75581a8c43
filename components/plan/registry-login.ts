import type { Secret } from "../base/secret";

export interface RegistryLogin {
  readonly username: string;
  readonly password: Secret;
}

/** The login for a repository of charts. */
export interface ChartLogin extends RegistryLogin {
  /**
   * `<host>` or `<host>:<port>` of the registry's token server. @default the registry, or the known token server of it
   */
  readonly token_host?: string;
}
