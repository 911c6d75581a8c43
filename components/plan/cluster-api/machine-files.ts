import { digest } from "../../kube/objects/checksum";
import type { NodeFile } from "../../kube/cluster/control-plane";
import { ENCRYPTION, encryptionConfiguration } from "../../kube/cluster/encryption";
import type { Fields, KubeObject } from "../../kube/objects/object";
import { DNS_DOMAIN, noProxy } from "../no-proxy";
import { CLOSE_METADATA_SERVICE, METADATA_SERVICE } from "../metadata-service";
import type { ClusterSettings, MachineProxy } from "../../settings/model";
import type { NodeParts, SecretFile } from "../nodes/model";
import { TRUSTED } from "../nodes/trusted-certificates";
import { Secret } from "../../base/secret";
import { NODE_CIDR } from "../../settings/cluster-network-checks";

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

/** A file of machines whose content is an entry of a Secret. */
interface MachineSecretFile extends SecretFile {
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

/** The files of all machines of a cluster, and the Secret with the content of those that contain secrets. */
export interface MachineFiles extends Pick<NodeParts, "trusted" | "files"> {
  readonly secret: KubeObject | undefined;
  /** With the key of each in the Secret. */
  readonly secretFiles: readonly (MachineSecretFile & { readonly key: string })[];
}

/**
 * The files of all machines of a cluster. Machines read the Secret only when they are created, so its name changes
 * with the content, which then replaces machines. A new password of the proxy or of a registry does not change it by
 * itself, nor does the text of an encrypted file.
 * @param parts that kubeadm clusters have too
 */
export function machineFiles(name: string, settings: ClusterSettings, parts: NodeParts): MachineFiles {
  const { kubeadm, proxy, apiServer } = settings;
  const { encryptionKeys: keys } = apiServer;
  const all: MachineSecretFile[] = [
    ...(keys
      ? [
          {
            ...{ path: ENCRYPTION, controlPlane: true, permissions: ROOT_ALONE },
            content: new Secret(encryptionConfiguration(keys)),
            identity: keys.map((key) => key.reveal()),
          },
        ]
      : []),
    ...(proxy
      ? [
          {
            ...{ path: PROXY_VARIABLES, controlPlane: false, permissions: ROOT_ALONE },
            content: new Secret(proxyVariables(proxy, settings)),
            identity: [proxy.noProxy, ...[proxy.httpProxy, proxy.httpsProxy].map(hostOf)],
          },
        ]
      : []),
    ...parts.secretFiles.map((file) => ({ ...file, controlPlane: false })),
    ...kubeadm.files.flatMap(({ path, permissions, content }) =>
      content instanceof Secret
        ? [{ path, permissions, content, identity: undefined, controlPlane: false }]
        : [],
    ),
  ];
  const secretFiles = all.map((file, i) => ({ ...file, key: `file-${i}` }));
  const { trusted, files } = parts;
  if (secretFiles.length === 0) return { trusted, files, secret: undefined, secretFiles };
  const hash = digest(secretFiles.map(({ path, identity }) => [path, identity])).slice(0, 8);
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${name}-files-${hash}`, namespace: name },
    stringData: Object.fromEntries(secretFiles.map(({ key, content }) => [key, content.reveal()])),
  };
  return { trusted, files, secret, secretFiles };
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
  { trusted, files: shared, secret, secretFiles }: MachineFiles,
  own: Additions & { readonly controlPlane: boolean },
): Fields {
  const { kubeadm, proxy } = settings;
  const plain = [
    METADATA_SERVICE,
    ...trusted,
    ...shared,
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
    ...(trusted.length > 0 ? [TRUST] : []),
    ...(trusted.length > 0 || proxy ? ["systemctl daemon-reload", "systemctl restart containerd"] : []),
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
  `else cp ${TRUSTED}/vnfm-*.crt /etc/pki/ca-trust/source/anchors/ && update-ca-trust; fi`;

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
