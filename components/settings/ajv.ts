import { isIP } from "node:net";
import Ajv from "ajv";
import { isCertificates } from "../certificates";
import { parseCidr } from "../cidr";
import { currentContext } from "../kube/api-access";
import { publicKeys } from "../openpgp";
import { parseTraffic } from "../traffic";
import { isUuid } from "../uuid";
import { yamlData } from "../yaml";

/** OpenSSH or PEM, whose headers say that it has a passphrase. */
const PRIVATE_KEY =
  /^-----BEGIN ([A-Z]+ )?PRIVATE KEY-----\r?\n(?:(?:Proc-Type|DEK-Info): .*\n)*[^-]+-----END ([A-Z]+ )?PRIVATE KEY-----\s*$/;

/** A line of authorized_keys without options and comment. */
const SSH_PUBLIC_KEY = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)) AAAA[A-Za-z0-9+/]+={0,2}$/;

/** Compiles the schemas of the stack config; it knows the formats in them. */
export const ajv = new Ajv({ allErrors: true, useDefaults: true, verbose: true, allowUnionTypes: true });
ajv.addKeyword("encrypted");
ajv.addKeyword("late");
ajv.addKeyword("kinds");
ajv.addFormat("cidr", (text: string) => parseCidr(text) !== undefined);
ajv.addFormat("ipv4", (text: string) => isIP(text) === 4);
ajv.addFormat("ipv4-cidr", (text: string) => parseCidr(text)?.version === 4);
ajv.addFormat("ipv6-cidr", (text: string) => parseCidr(text)?.version === 6);
ajv.addFormat("http-url", isUrl);
ajv.addFormat("https-url", (text: string) => text.startsWith("https:") && isUrl(text));
ajv.addFormat("proxy-url", (text: string) => isUrl(text) && !/[/?#]./.test(text.replace(/^https?:\/\//, "")));
ajv.addFormat("time", isTime);
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
ajv.addFormat("no-proxy", (text: string) => text.split(",").every((entry) => isWithoutProxy(entry.trim())));
ajv.addFormat("openpgp-key", (text: string) => publicKeys(text) !== undefined);
ajv.addFormat("private-key", PRIVATE_KEY);
ajv.addFormat("certificate", isCertificates);
ajv.addFormat("ssh-public-key", SSH_PUBLIC_KEY);
ajv.addFormat("text", true);
ajv.addFormat("uuid", isUuid);
ajv.addFormat("traffic", (text: string) => parseTraffic(text) !== undefined);

/**
 * Whether Go's programs, such as containerd, read the URL too: a `%` is the beginning of a code there, and a login has no
 * other special characters (https://pkg.go.dev/net/url).
 */
function isUrl(text: string): boolean {
  const [, login = ""] = /^https?:\/\/(?:([^/?#]*)@)?/.exec(text) ?? [];
  const isPlain = /^https?:\/\/[^\s"'\\]+$/.test(text) && URL.canParse(text);
  return isPlain && !/%(?![0-9a-fA-F]{2})/.test(text) && /^[\w.~!$&()*+,;=:@%-]*$/.test(login);
}

/** Whether programs understand an entry of `no_proxy`: a name, what ends like one, an address or a block of them. */
function isWithoutProxy(entry: string): boolean {
  const isName = /^(\*?\.)?\w[-\w.]*(:\d+)?$/.test(entry) || /^\[[0-9a-fA-F:]+\](:\d+)?$/.test(entry);
  return entry === "" || entry === "*" || isName || isIP(entry) !== 0 || parseCidr(entry) !== undefined;
}

/** A time of UTC that there is: Date itself takes February 31 for March 3. */
function isTime(text: string): boolean {
  const [, second] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  const time = Date.parse(`${second}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString() === `${second}.000Z`;
}

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
