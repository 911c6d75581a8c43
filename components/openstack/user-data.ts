import { stringify } from "yaml";

export interface UserData {
  /** Host key that sshd shall have, the only one; OpenSSH format. */
  readonly hostPrivateKey: string;
  readonly hostPublicKey: string;
  /** Of the VNFD, any form that cloud-init reads; run beside ours, which wins where both set the same. */
  readonly bootData: string | undefined;
}

/**
 * cloud-init user data of a server. It brings the host key, so that the first SSH connection is verified:
 * every later one would be too late. Nothing else that is secret belongs here, the metadata service shows it
 * to every process on the server.
 *
 * cloud-init leaves /etc/hosts alone: where an image has it manage that file (`manage_etc_hosts`), it would write
 * the file anew at each boot, without the names of the cluster's nodes and of private registries.
 */
export function renderUserData(data: UserData): string {
  const config = `#cloud-config\n${stringify({
    ssh_deletekeys: true,
    ssh_keys: { ed25519_private: data.hostPrivateKey, ed25519_public: data.hostPublicKey },
    preserve_hostname: false,
    manage_etc_hosts: false,
  })}`;
  // user data wins over what the image says, and of its parts the last one
  return data.bootData === undefined ? config : multipart([data.bootData, config]);
}

/** cloud-init's MIME archive: each part's kind is found by its first line. */
function multipart(parts: readonly string[]): string {
  const boundary = "==vnfm==";
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n`,
    ...parts.map((part) => `--${boundary}\nContent-Type: ${contentType(part)}; charset="utf-8"\n\n${part}\n`),
    `--${boundary}--\n`,
  ].join("\n");
}

function contentType(part: string): string {
  if (part.startsWith("#!")) return "text/x-shellscript";
  if (part.startsWith("#include")) return "text/x-include-url";
  return "text/cloud-config";
}
