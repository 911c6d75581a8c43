import type { Secret } from "../base/secret";

/** Where every kubelet looks for logins; unlike its own folder `kubeadm reset` leaves it alone. */
export const REGISTRY_LOGINS = "/.docker/config.json";

/** The host that serves a registry, which has another name than images have for it where it is Docker Hub. */
export function registryHost(registry: string): string {
  return registry === "docker.io" ? "registry-1.docker.io" : registry;
}

export interface RegistryLogin {
  readonly username: string;
  readonly password: Secret;
}

/** How a repository of charts is asked. */
export interface ChartLogin extends RegistryLogin {
  /** `<host>` or `<host>:<port>` that a registry has its tokens from. @default the registry, or what is known of it */
  readonly token_host?: string;
}

/**
 * The file with a node's logins of registries, as Docker's clients write it. It is for the kubelet, as containerd has
 * deprecated those in its own configuration, and a header in hosts.toml is of no use where a registry wants tokens.
 *
 * @param logins by the registry's name, with its port where it has one
 */
export function registryLogins(logins: Readonly<Record<string, RegistryLogin>>): string {
  const auths = Object.entries(logins).map(([server, { username, password }]) => [
    server,
    { auth: Buffer.from(`${username}:${password.reveal()}`).toString("base64") },
  ]);
  return `${JSON.stringify({ auths: Object.fromEntries(auths) as object })}\n`;
}
