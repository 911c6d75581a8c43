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
/** Where containerd looks for a registry's settings at each pull, as image-builder configures it. */
const REGISTRIES = "/etc/containerd/certs.d";
/** The proxy's variables: everybody on a machine may ask systemd for what a unit has in `Environment=`, not for a file. */
const PROXY_VARIABLES = "/etc/vnfm-proxy.env";
const PROXY_DROP_INS = ["containerd", "kubelet"].map((unit) => ({
  path: `/etc/systemd/system/${unit}.service.d/proxy.conf`,
  permissions: "0644",
  content: `[Service]\nEnvironmentFile=${PROXY_VARIABLES}\n`,
}));

/** Permissions of a file that nobody but root may read. */
const ROOT_ALONE = "0600";

/** A file of machines with a secret in it: its text is an entry of a Secret. */
interface SecretFile {
  readonly path: string;
  readonly permissions: string;
  /** Key of the Secret. */
  readonly key: string;
  readonly content: string;
  /** What tells the content from another one without telling a secret that could be guessed. */
  readonly identity: unknown;
  /** True if machines of the control plane alone have it. */
  readonly controlPlane: boolean;
}

/** What some machines of a cluster have beside what all have. */
export interface Additions {
  readonly files: readonly NodeFile[];
  /** Commands before kubeadm, and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A command that only the first machine of a control plane runs: only that one has the file which kubeadm begins by. */
export function onFirstMachine(command: string): string {
  return `! [ -f /run/kubeadm/kubeadm.yaml ] || ${command}`;
}

/** The files with secrets of a cluster's machines, and the Secret that they are taken from. */
export interface MachineFiles {
  readonly secret: KubeObject | undefined;
  readonly files: readonly SecretFile[];
}

/**
 * The files of a cluster that have secrets in them. Machines read the Secret once, when they are made, so its name tells
 * one content from another, which then replaces machines. A changed password of the proxy or of a registry alone does
 * not, nor does another text of an encrypted file.
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

/** Host and port of a URL, without the login in it. */
function hostOf(url: Secret | undefined): string | undefined {
  return url && new URL(url.reveal()).host;
}

/**
 * The fields `files`, `preKubeadmCommands` and `postKubeadmCommands` of a kubeadm configuration: what all machines of the
 * cluster have, and `own`, which some have.
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

/** Debian and its descendants read the folder of the files by themselves, the Red Hat family another one. */
const TRUST =
  `if command -v update-ca-certificates >/dev/null; then update-ca-certificates; ` +
  `else cp ${TRUSTED}/cluster-*.crt /etc/pki/ca-trust/source/anchors/ && update-ca-trust; fi`;

/**
 * https://github.com/containerd/containerd/blob/main/docs/hosts.md. containerd adds `/v2` to each path that does not end
 * so: a mirror with something after it, as Harbor's are by project, has its root where its URL says.
 */
function hostsToml(registry: string, urls: readonly string[]): string {
  const hosts = urls.flatMap((given) => {
    const url = given.replace(/\/+$/, "");
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

/** Variables as systemd reads a file of them, where a `\\` and a `"` mean something. */
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
