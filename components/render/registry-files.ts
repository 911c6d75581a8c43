import type { NodeFile } from "../kube/cluster/control-plane";
import type { PrivateRegistry } from "../plan/kubeadm/model";
import { REGISTRY_LOGINS, registryHost, registryLogins } from "../plan/registry-logins";
import { fileLines } from "./file-lines";

/** Folder in which containerd looks up a registry's settings at each pull. */
const CERTS = "/etc/containerd/certs.d";

/** The shell variables of prepare-node.sh about the private registries. All are empty where there are none. */
export function registryData(
  registries: readonly PrivateRegistry[],
): Record<"registry_files" | "registry_names", string> {
  return {
    registry_files: fileLines(registryFiles(registries)),
    registry_names: registries.flatMap(({ hostsLine }) => hostsLine ?? []).join("\n"),
  };
}

/**
 * The files of a node about private registries. How to reach them is for containerd
 * (https://github.com/containerd/containerd/blob/main/docs/hosts.md); the logins are for the kubelet.
 */
export function registryFiles(registries: readonly PrivateRegistry[]): NodeFile[] {
  const files = registries.flatMap((registry): NodeFile[] => {
    const folder = `${CERTS}/${registry.server}`;
    const hosts = { path: `${folder}/hosts.toml`, permissions: "0644", content: hostsToml(registry, folder) };
    const { certificate } = registry;
    return certificate === undefined
      ? [hosts]
      : [{ path: `${folder}/ca.crt`, permissions: "0644", content: certificate }, hosts];
  });
  const logins = registries.flatMap(({ server, login }) =>
    login === undefined ? [] : [[server, login] as const],
  );
  if (logins.length === 0) return files;
  return [
    ...files,
    { path: REGISTRY_LOGINS, permissions: "0600", content: registryLogins(Object.fromEntries(logins)) },
  ];
}

/** The server stands in it twice: containerd 1.x takes no file without a host, and asks the server itself after it. */
function hostsToml({ server, protocol, certificate }: PrivateRegistry, folder: string): string {
  const url = `${protocol}://${registryHost(server)}`;
  const ca = certificate === undefined ? [] : [`ca = "${folder}/ca.crt"`];
  return [`server = "${url}"`, ...ca, "", `[host."${url}"]`, ...ca, ""].join("\n");
}
