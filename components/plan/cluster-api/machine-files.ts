import { digest } from "../../kube/objects/checksum";
import type { NodeFile } from "../../kube/cluster/control-plane";
import { ENCRYPTION, encryptionConfiguration } from "../../kube/cluster/encryption";
import type { Fields, KubeObject } from "../../kube/objects/object";
import { DNS_DOMAIN, noProxy } from "../no-proxy";
import { CLOSE_METADATA_SERVICE, METADATA_SERVICE } from "../metadata-service";
import type { ClusterSettings, MachineProxy } from "../../settings/model";
import { REGISTRY_LOGINS, registryHost, registryLogins } from "../registry-logins";
import { Secret } from "../../base/secret";
import { NODE_CIDR } from "../../settings/cluster-network-checks";

const TRUSTED = "/usr/local/share/ca-certificates";
/** Folder where containerd looks for a registry's settings at each pull, as image-builder configures it. */
const REGISTRIES = "/etc/containerd/certs.d";
/**
 * File with the proxy's variables: every user of a machine can read a unit's `Environment=` from systemd, but not this
 * file.
 */
const PROXY_VARIABLES = "/etc/vnfm-proxy.env";
const PROXY_DROP_INS = ["containerd", "kubelet"].map((unit) => ({
  path: `/etc/systemd/system/${unit}.service.d/proxy.conf`,
  permissions: "0644",
  content: `[Service]\nEnvironmentFile=${PROXY_VARIABLES}\n`,
}));

/** Permissions of a file that only root may read. */
const ROOT_ALONE = "0600";

/** A file of machines that contains a secret: its text is an entry of a Secret. */
interface SecretFile {
  readonly path: string;
  readonly permissions: string;
  /** Key of the entry in the Secret. */
  readonly key: string;
  readonly content: string;
  /** A value that changes with the content, without a secret that could be guessed from its hash. */
  readonly identity: unknown;
  /** True if only machines of the control plane have it. */
  readonly controlPlane: boolean;
}

/** Additions to the configuration of some machines of a cluster. */
export interface Additions {
  readonly files: readonly NodeFile[];
  /** Commands before kubeadm. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A command for the first machine of a control plane only: no other one has the file of `kubeadm init`. */
export function onFirstMachine(command: string): string {
  return `! [ -f /run/kubeadm/kubeadm.yaml ] || ${command}`;
}

/** The files with secrets of a cluster's machines, and the Secret that contains them. */
export interface MachineFiles {
  readonly secret: KubeObject | undefined;
  readonly files: readonly SecretFile[];
}

/**
 * The files of a cluster that contain secrets. Machines read the Secret only when they are created, so its name changes
 * with the content, which then replaces machines. A new password of the proxy or of a registry does not change it by
 * itself, nor does the text of an encrypted file.
 */
export function secretFiles(name: string, settings: ClusterSettings): MachineFiles {
  const { kubeadm, proxy, apiServer, registryLogins: logins } = settings;
  const { encryptionKeys: keys } = apiServer;
  const files: SecretFile[] = [
    ...(keys
      ? [
          {
            ...{ path: ENCRYPTION, key: "encryption.yaml", controlPlane: true, permissions: ROOT_ALONE },
            content: encryptionConfiguration(keys),
            identity: keys.map((key) => key.reveal()),
          },
        ]
      : []),
    ...(proxy
      ? [
          {
            ...{ path: PROXY_VARIABLES, key: "proxy.env", controlPlane: false, permissions: ROOT_ALONE },
            content: proxyVariables(proxy, settings),
            identity: [proxy.noProxy, ...[proxy.httpProxy, proxy.httpsProxy].map(hostOf)],
          },
        ]
      : []),
    ...(Object.keys(logins).length > 0
      ? [
          {
            ...{
              path: REGISTRY_LOGINS,
              key: "registry-logins.json",
              controlPlane: false,
              permissions: ROOT_ALONE,
            },
            content: registryLogins(logins),
            identity: Object.entries(logins).map(([server, { username }]) => [server, username]),
          },
        ]
      : []),
    ...kubeadm.files.flatMap(({ path, permissions, content }, i) =>
      content instanceof Secret
        ? [
            {
              ...{ path, permissions, key: `file-${i}`, controlPlane: false },
              content: content.reveal(),
              identity: undefined,
            },
          ]
        : [],
    ),
  ];
  if (files.length === 0) return { secret: undefined, files };
  const hash = digest(files.map(({ path, identity }) => [path, identity])).slice(0, 8);
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${name}-files-${hash}`, namespace: name },
    stringData: Object.fromEntries(files.map(({ key, content }) => [key, content])),
  };
  return { secret, files };
}

/** Host and port of a URL, without the login. */
function hostOf(url: Secret | undefined): string | undefined {
  return url && new URL(url.reveal()).host;
}

/**
 * The fields `files`, `preKubeadmCommands` and `postKubeadmCommands` of a kubeadm configuration: those of all machines
 * of the cluster, and `own` for some.
 */
export function filesOf(
  settings: ClusterSettings,
  { secret, files: secretFiles }: MachineFiles,
  own: Additions & { readonly controlPlane: boolean },
): Fields {
  const { kubeadm, trustedCertificates, registryMirrors, proxy } = settings;
  const plain = [
    METADATA_SERVICE,
    ...trustedCertificates.map((content, i) => ({
      ...{ path: `${TRUSTED}/cluster-${i + 1}.crt`, permissions: "0644", content },
    })),
    ...Object.entries(registryMirrors).map(([registry, urls]) => ({
      path: `${REGISTRIES}/${registry}/hosts.toml`,
      permissions: "0644",
      content: hostsToml(registry, urls),
    })),
    ...(proxy ? PROXY_DROP_INS : []),
    ...own.files,
    ...kubeadm.files.filter(({ content }) => !(content instanceof Secret)),
  ];
  const secrets = secretFiles
    .filter(({ controlPlane }) => own.controlPlane || !controlPlane)
    .map(({ path, permissions, key }) => ({
      ...{ path, owner: "root:root", permissions },
      contentFrom: { secret: { name: secret?.metadata.name, key } },
    }));
  const files = [...plain.map((file) => ({ ...file, owner: "root:root" })), ...secrets];
  const before = [
    CLOSE_METADATA_SERVICE,
    ...(trustedCertificates.length > 0 ? [TRUST] : []),
    ...(trustedCertificates.length > 0 || proxy
      ? ["systemctl daemon-reload", "systemctl restart containerd"]
      : []),
    ...own.before,
    ...kubeadm.preKubeadmCommands,
  ];
  const after = [...own.after, ...kubeadm.postKubeadmCommands];
  return {
    files,
    preKubeadmCommands: before,
    ...(after.length > 0 && { postKubeadmCommands: after }),
  };
}

/**
 * Updates the trusted CAs. Debian and its descendants read the folder of the files by themselves, the Red Hat family
 * another one.
 */
const TRUST =
  `if command -v update-ca-certificates >/dev/null; then update-ca-certificates; ` +
  `else cp ${TRUSTED}/cluster-*.crt /etc/pki/ca-trust/source/anchors/ && update-ca-trust; fi`;

/**
 * The hosts.toml of a registry: https://github.com/containerd/containerd/blob/main/docs/hosts.md.
 * containerd appends `/v2` to each path that does not end with it. A mirror whose URL has a path after `/v2`, such as a
 * project in Harbor, needs override_path.
 */
function hostsToml(registry: string, urls: readonly string[]): string {
  const hosts = urls.flatMap((mirror) => {
    const url = mirror.replace(/\/+$/, "");
    const isRoot = /\/v2\/./.test(new URL(url).pathname);
    return [
      "",
      `[host."${url}"]`,
      `capabilities = ["pull", "resolve"]`,
      ...(isRoot ? ["override_path = true"] : []),
    ];
  });
  return [`server = "https://${registryHost(registry)}"`, ...hosts, ""].join("\n");
}

/** Variables in the format of systemd's environment files, with `\\` and `"` escaped. */
function proxyVariables(proxy: MachineProxy, { network }: ClusterSettings): string {
  const nodes = network.network === undefined ? (network.nodeCidr ?? NODE_CIDR) : undefined;
  const variables = {
    HTTP_PROXY: proxy.httpProxy?.reveal(),
    HTTPS_PROXY: proxy.httpsProxy?.reveal(),
    NO_PROXY: noProxy(proxy.noProxy, { ...network, nodes, dnsDomain: DNS_DOMAIN }),
  };
  const lines = Object.entries(variables).flatMap(([variable, value]) =>
    value === undefined ? [] : [`${variable}="${value.replaceAll(/["\\]/g, "\\$&")}"`],
  );
  return [...lines, ""].join("\n");
}
