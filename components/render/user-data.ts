import { runnable } from "../base/text";
import { toYaml } from "../base/yaml/yaml";

export interface UserData {
  /** The only SSH host key of the server, in OpenSSH format. */
  readonly hostPrivateKey: string;
  readonly hostPublicKey: string;
  /** Public key that may log in as the image's user, in OpenSSH format. */
  readonly loginKey: string;
  /** Boot data of the VNFD, in any format of cloud-init. vnfm's settings take precedence over them. */
  readonly bootData: string | undefined;
}

/**
 * Renders the cloud-init user data of a server. They contain its host key, so that even the first SSH connection is
 * verified, and the public key of the login: a Nova key pair belongs to one user of the cloud, and other users could
 * not create servers with it. There must be no other secrets, because the metadata service shows the user data to every
 * process on the server. `manage_etc_hosts` is off, because cloud-init would otherwise rewrite /etc/hosts at each boot,
 * without the names of nodes and private registries.
 */
export function renderUserData(data: UserData): string {
  const server = {
    ssh_deletekeys: true,
    ssh_keys: { ed25519_private: data.hostPrivateKey, ed25519_public: data.hostPublicKey },
    preserve_hostname: false,
    manage_etc_hosts: false,
  };
  const login = { ssh_authorized_keys: [data.loginKey] };
  if (data.bootData === undefined) return cloudConfig({ ...server, ...login });
  // user data override the image, and later parts earlier ones; keys are added to those of the boot data
  const parts = [cloudConfig(server), cloudConfig({ merge_how: APPENDING, ...login })];
  return multipart([runnable(data.bootData), ...parts]);
}

/** Rule for merging lists by appending: https://docs.cloud-init.io/en/latest/reference/merging.html */
const APPENDING = "dict(recurse_array)+list(append)";

function cloudConfig(config: object): string {
  return `#cloud-config\n${toYaml(config)}`;
}

/** A MIME archive, in which cloud-init accepts several parts of different types. */
function multipart(parts: readonly string[]): string {
  let boundary = "==vnfm==";
  while (parts.some((part) => part.includes(boundary))) boundary += "=";
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n`,
    ...parts.map((part) => `--${boundary}\n${mimeOf(part) ?? `${headerOf(part)}\n\n${part}`}\n`),
    `--${boundary}--\n`,
  ].join("\n");
}

/**
 * Content types of cloud-init by the beginning of a text
 * (https://docs.cloud-init.io/en/latest/explanation/format.html). cloud-init detects the type only of parts that are
 * declared as text/plain or as a script.
 */
const TYPES: readonly (readonly [beginning: string, type: string])[] = [
  ["#!", "text/x-shellscript"],
  ["#cloud-boothook", "text/cloud-boothook"],
  ["#cloud-config-archive", "text/cloud-config-archive"],
  ["#cloud-config-jsonp", "text/cloud-config-jsonp"],
  ["#include-once", "text/x-include-once-url"],
  ["#include", "text/x-include-url"],
  ["#part-handler", "text/part-handler"],
  ["#upstart-job", "text/upstart-job"],
  ["## template: jinja", "text/jinja2"],
];

function headerOf(part: string): string {
  const beginning = part.trimStart().toLowerCase();
  const [, type = "text/cloud-config"] = TYPES.find(([known]) => beginning.startsWith(known)) ?? [];
  return `Content-Type: ${type}; charset="utf-8"`;
}

/**
 * Returns the text if it is a MIME archive, or a part of one, with its own headers. A line of mbox, which some tools
 * write before them, is removed.
 */
function mimeOf(part: string): string | undefined {
  const archive = part.replace(/^From .*\r?\n/, "");
  const [head = ""] = archive.split(/\r?\n\r?\n/, 1);
  return /^[\w-]+:/.test(head) && /^(mime-version|content-type):/im.test(head) ? archive : undefined;
}
