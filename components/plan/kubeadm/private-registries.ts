import { isCertificates } from "../../base/keys/certificates";
import type { Place } from "../../base/findings";
import type { PrivateRegistrySettings } from "../../settings/model";
import type { PrivateRegistry } from "./model";

/**
 * The private registries of a cluster's nodes.
 *
 * @param place of the list in the stack config
 * @param readText text of a file that a setting names
 */
export function planPrivateRegistries(
  settings: readonly PrivateRegistrySettings[],
  place: Place,
  readText: (file: string, place: Place) => string,
): PrivateRegistry[] {
  return settings.map((registry, i) => {
    const { server, username, password, certificate_path: file } = registry;
    const at = place.get(i);
    const protocol = registry.connection_type === "0" ? "http" : "https";
    if (settings.slice(0, i).some((other) => other.server === server)) {
      at.get("server").fault(`${server} is there already; leave one of the two`);
    }
    if (server === "docker.io" && protocol === "http") {
      at.get("connection_type").fault('docker.io is asked by HTTPS alone; set it to "1"');
    }
    if ((username === undefined) !== (password === undefined)) {
      at.fault("give both username and password, or neither");
    }
    if (file !== undefined && protocol === "http") {
      at.get("certificate_path").fault(`is for HTTPS; leave it out, or set connection_type to "1"`);
    }
    return {
      server,
      protocol,
      login: username === undefined || password === undefined ? undefined : { username, password },
      certificate: file === undefined ? undefined : certificate(file, at.get("certificate_path")),
      hostsLine: registry.hosts_string,
    };
  });

  function certificate(file: string, place: Place): string {
    const text = readText(file, place);
    if (text !== "" && !isCertificates(text)) {
      place.fault(
        `${file} is no file of certificates; give each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and no private key`,
      );
    }
    return text;
  }
}

/** Warnings about the private registries. @param place of the list in the stack config */
export function registryWarnings(settings: readonly PrivateRegistrySettings[], place: Place): string[] {
  return settings.flatMap(({ connection_type, username }, i) =>
    connection_type === "0" && username !== undefined
      ? [
          `${place.get(i, "connection_type").text}: "0" is HTTP, so each node sends the password of ${username} over the network in plain; have the registry serve HTTPS and write "1"`,
        ]
      : [],
  );
}
