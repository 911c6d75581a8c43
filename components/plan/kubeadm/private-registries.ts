import { isCertificates } from "../../certificates";
import type { PrivateRegistrySettings } from "../../settings/model";
import type { PrivateRegistry } from "./model";

/**
 * The private registries of a cluster's nodes. Appends what is wrong to `faults`.
 *
 * @param path of the list in the stack config
 * @param readText text of a file that a setting names
 */
export function planPrivateRegistries(
  settings: readonly PrivateRegistrySettings[],
  path: string,
  readText: (file: string, setting: string) => string,
  faults: string[],
): PrivateRegistry[] {
  return settings.map((registry, i) => {
    const { server, username, password, certificate_path: file } = registry;
    const place = `${path}[${i}]`;
    const protocol = registry.connection_type === "0" ? "http" : "https";
    if (settings.slice(0, i).some((other) => other.server === server)) {
      faults.push(`${place}.server: ${server} is there already; leave one of the two`);
    }
    if (server === "docker.io") {
      faults.push(`${place}.server: docker.io is no private registry; give its pods imagePullSecrets`);
    }
    if ((username === undefined) !== (password === undefined)) {
      faults.push(`${place}: give both username and password, or neither`);
    }
    if (file !== undefined && protocol === "http") {
      faults.push(`${place}.certificate_path: is for HTTPS; leave it out, or set connection_type to "1"`);
    }
    return {
      server,
      protocol,
      login: username === undefined || password === undefined ? undefined : { username, password },
      certificate: file === undefined ? undefined : certificate(file, `${place}.certificate_path`),
      hostsLine: registry.hosts_string,
    };
  });

  function certificate(file: string, setting: string): string {
    const text = readText(file, setting);
    if (text !== "" && !isCertificates(text)) {
      faults.push(
        `${setting}: ${file} is no file of certificates; give each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and no private key`,
      );
    }
    return text;
  }
}

/** What the operator should know of the private registries. @param path of the list in the stack config */
export function registryWarnings(settings: readonly PrivateRegistrySettings[], path: string): string[] {
  return settings.flatMap(({ connection_type, username }, i) =>
    connection_type === "0" && username !== undefined
      ? [
          `${path}[${i}].connection_type: "0" is HTTP, so each node sends the password of ${username} over the network in plain; have the registry serve HTTPS and write "1"`,
        ]
      : [],
  );
}
