import type { Secret } from "../base/secret";

/**
 * Path where every kubelet looks for registry logins; `kubeadm reset` does not delete it, unlike the kubelet's folder.
 */
export const REGISTRY_LOGINS = "/.docker/config.json";

/** The host of a registry; it differs from the name in images for Docker Hub only. */
export function registryHost(registry: string): string {
  return registry === "docker.io" ? "registry-1.docker.io" : registry;
}

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

/**
 * The file with a node's registry logins, in the format of Docker's clients.
 * It is for the kubelet: containerd has deprecated logins in its configuration, and a header in hosts.toml does not
 * work with registries that require tokens.
 * @param logins by the registry's name, with its port if it has one
 */
export function registryLogins(logins: Readonly<Record<string, RegistryLogin>>): string {
  const auths = Object.entries(logins).map(([server, { username, password }]) => [
    server,
    { auth: Buffer.from(`${username}:${password.reveal()}`).toString("base64") },
  ]);
  return `${JSON.stringify({ auths: Object.fromEntries(auths) as object })}\n`;
}
