import { isIP } from "node:net";
import Ajv from "ajv";
import { isCertificates } from "../certificates";
import { parseCidr } from "../cidr";
import { currentContext } from "../kube/api-access";
import { publicKeys } from "../openpgp";
import { parseTraffic } from "../traffic";
import { isUuid } from "../uuid";
import { yamlData } from "../yaml";

/** OpenSSH or PEM. */
const PRIVATE_KEY = /^-----BEGIN ([A-Z]+ )?PRIVATE KEY-----\r?\n[^-]+-----END ([A-Z]+ )?PRIVATE KEY-----\s*$/;

/** A line of authorized_keys without options and comment. */
const SSH_PUBLIC_KEY = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)) AAAA[A-Za-z0-9+/]+={0,2}$/;

/** Compiles the schemas of the stack config; it knows the formats in them. */
export const ajv = new Ajv({ allErrors: true, useDefaults: true, verbose: true, allowUnionTypes: true });
ajv.addKeyword("encrypted");
ajv.addFormat("cidr", (text: string) => parseCidr(text) !== undefined);
ajv.addFormat("ipv4", (text: string) => isIP(text) === 4);
ajv.addFormat("ipv4-cidr", (text: string) => parseCidr(text)?.version === 4);
ajv.addFormat("ipv6-cidr", (text: string) => parseCidr(text)?.version === 6);
ajv.addFormat("http-url", (text: string) => /^https?:\/\/[^\s"'\\]+$/.test(text) && URL.canParse(text));
ajv.addFormat("https-url", (text: string) => /^https:\/\/[^\s"'\\]+$/.test(text) && URL.canParse(text));
ajv.addFormat("absolute-path", isAbsolutePath);
ajv.addFormat("apt-url", (text: string) => /^https?:\/\/[\w.~:/+,[\]-]+$/.test(text) && URL.canParse(text));
ajv.addFormat("hosts-line", isHostsLine);
ajv.addFormat("ip-address", (text: string) => isIP(text) !== 0);
// Neutron refuses host bits
ajv.addFormat(
  "ip-address-or-cidr",
  (text: string) => isIP(text) !== 0 || parseCidr(text)?.text === text.toLowerCase(),
);
ajv.addFormat("kubeconfig", isKubeconfig);
ajv.addFormat("no-proxy", (text: string) =>
  text.split(",").every((host) => /^[-\w.:/*[\]]*$/.test(host.trim())),
);
ajv.addFormat("openpgp-key", (text: string) => publicKeys(text) !== undefined);
ajv.addFormat("private-key", PRIVATE_KEY);
ajv.addFormat("certificate", isCertificates);
ajv.addFormat("ssh-public-key", SSH_PUBLIC_KEY);
ajv.addFormat("text", true);
ajv.addFormat("uuid", isUuid);
ajv.addFormat("traffic", (text: string) => parseTraffic(text) !== undefined);

/** In characters that fstab, exports and ganesha.conf take as they are, written in one way only. */
function isAbsolutePath(text: string): boolean {
  return /^(\/[A-Za-z0-9._-]+)+$/.test(text) && !/\/\.{1,2}(\/|$)/.test(text);
}

function isHostsLine(text: string): boolean {
  const [, address = ""] = /^(\S+) +[A-Za-z0-9][\w.-]*$/.exec(text) ?? [];
  return isIP(address) !== 0;
}

/** Whether a text is a kubeconfig that says how to reach a cluster. */
function isKubeconfig(text: string): boolean {
  let value: unknown;
  try {
    value = yamlData(text, "it");
  } catch {
    return false;
  }
  return /^https?:\/\/./.test(String(currentContext(value).cluster["server"]));
}
