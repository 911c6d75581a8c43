import { digest } from "../../kube/objects/checksum";
import type { NodeFile } from "../../kube/cluster/control-plane";
import { ENCRYPTION, encryptionConfiguration } from "../../kube/cluster/encryption";
import type { Fields, KubeObject } from "../../kube/objects/object";
import { CLOSE_METADATA_SERVICE, METADATA_SERVICE } from "../metadata-service";
import type { ClusterSettings } from "../../settings/model";
import type { NodeParts, SecretFile } from "../nodes/model";
import { proxyFiles } from "../nodes/proxy";
import { TRUSTED } from "../nodes/trusted-certificates";
import { Secret } from "../../base/secret";

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
  /** Shell commands to run before kubeadm. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A command that runs only on the first control-plane machine, the only one with a file of `kubeadm init`. */
export function onFirstMachine(command: string): string {
  return `! [ -f /run/kubeadm/kubeadm.yaml ] || ${command}`;
}

/** The files of all machines of a cluster, and the Secret with the content of those that contain secrets. */
export interface MachineFiles extends Pick<
  NodeParts,
  "trusted" | "files" | "operatorFiles" | "keystoneAuth"
> {
  /** True if containerd must restart, because it reads some of the files only at its start. */
  readonly restartsContainerd: boolean;
  readonly secret: KubeObject | undefined;
  /** Files with secrets, each with its key in the Secret. */
  readonly secretFiles: readonly (MachineSecretFile & { readonly key: string })[];
}

/**
 * The files of all machines of a cluster. Machines read the Secret only when they are created, so its name changes
 * with the content, which then replaces machines. A new password of the proxy or of a registry does not change it by
 * itself, nor does the text of an encrypted file.
 * @param parts that kubeadm clusters have too
 */
export function machineFiles(name: string, settings: ClusterSettings, parts: NodeParts): MachineFiles {
  const { encryptionKeys: keys } = settings.apiServer;
  const proxy = proxyFiles(parts.proxy);
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
    ...[...proxy.secretFiles, ...parts.secretFiles].map((file) => ({ ...file, controlPlane: false })),
    ...parts.operatorFiles.flatMap(({ content, ...file }) =>
      content instanceof Secret ? [{ ...file, content, identity: undefined, controlPlane: false }] : [],
    ),
  ];
  const secretFiles = all.map((file, i) => ({ ...file, key: `file-${i}` }));
  const ofAll = {
    ...{ trusted: parts.trusted, operatorFiles: parts.operatorFiles, keystoneAuth: parts.keystoneAuth },
    ...{ files: [...parts.files, ...proxy.files], secretFiles },
    restartsContainerd: parts.trusted.length > 0 || proxy.files.length > 0,
  };
  if (secretFiles.length === 0) return { ...ofAll, secret: undefined };
  const hash = digest(secretFiles.map(({ path, identity }) => [path, identity])).slice(0, 8);
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${name}-files-${hash}`, namespace: name },
    stringData: Object.fromEntries(secretFiles.map(({ key, content }) => [key, content.reveal()])),
  };
  return { ...ofAll, secret };
}

/**
 * The fields `files`, `preKubeadmCommands` and `postKubeadmCommands` of a kubeadm configuration: those of all machines
 * of the cluster, and `own` for some.
 */
export function filesOf(
  { kubeadm }: ClusterSettings,
  { trusted, files: shared, operatorFiles, restartsContainerd, secret, secretFiles }: MachineFiles,
  own: Additions & { readonly controlPlane: boolean },
): Fields {
  const plain = [
    METADATA_SERVICE,
    ...trusted,
    ...shared,
    ...own.files,
    ...operatorFiles.filter(({ content }) => !(content instanceof Secret)),
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
    ...(restartsContainerd ? ["systemctl daemon-reload", "systemctl restart containerd"] : []),
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
 * Commands that update the trusted CAs. The tool of Debian and its descendants reads the folder of the files; that of
 * the Red Hat family needs a copy in its own.
 */
const TRUST =
  `if command -v update-ca-certificates >/dev/null; then update-ca-certificates; ` +
  `else cp ${TRUSTED}/vnfm-*.crt /etc/pki/ca-trust/source/anchors/ && update-ca-trust; fi`;
