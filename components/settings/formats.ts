import { isIP } from "node:net";
import { isCertificates } from "../base/keys/certificates";
import { parseCidr } from "../base/net/cidr";
import { currentContext } from "../kube/access/api-access";
import { publicKeys } from "../base/keys/openpgp";
import { parseTraffic } from "../base/net/traffic";
import { isUuid } from "../base/uuid";
import { yamlData } from "../base/yaml/yaml";

/** A string format of the schemas. */
export interface Format {
  readonly test: (text: string) => boolean;
  /** Name of the format for messages; after a semicolon, how to write a valid value. */
  readonly form: string;
}

/** Certificates in PEM. */
export const CERTIFICATES: Format = {
  test: isCertificates,
  form: "a file of certificates; write each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and no private key",
};

/** Formats by their names in the schemas. */
export const FORMATS: Readonly<Record<string, Format>> = {
  "absolute-path": {
    test: isAbsolutePath,
    form: "an absolute path of letters, digits, . _ and - without parts . and .. or a last slash",
  },
  "apt-url": {
    test: (text) => /^https?:\/\/[\w.~:/+,[\]-]+$/.test(text) && URL.canParse(text),
    form: "a URL of a repository; write https://host/path, without user, password, spaces and %",
  },
  certificate: CERTIFICATES,
  cidr: {
    test: (text) => parseCidr(text) !== undefined,
    form: "a CIDR; write address/prefix length, as in 10.244.0.0/16",
  },
  "hosts-line": {
    test: isHostsLine,
    form: "a line of /etc/hosts; write an address and a name, as in 192.168.0.9 registry.example",
  },
  "http-url": { test: isUrl, form: "a URL; write http://host:port" },
  "https-url": {
    test: (text) => text.startsWith("https:") && isUrl(text),
    form: "an https URL; write https://host/path, because credentials are sent there",
  },
  "ip-address": { test: (text) => isIP(text) !== 0, form: "an IP address; write one, as in 10.20.0.1" },
  "ip-address-or-cidr": {
    // Neutron refuses host bits
    test: (text) => isIP(text) !== 0 || parseCidr(text)?.text === text.toLowerCase(),
    form: "an IP address or CIDR; write one, a CIDR without host bits, as in 10.20.0.1 or 10.244.0.0/16",
  },
  ipv4: { test: (text) => isIP(text) === 4, form: "an IPv4 address; write one, as in 10.20.0.1" },
  "ipv4-cidr": {
    test: (text) => parseCidr(text)?.version === 4,
    form: "an IPv4 CIDR; write one address/prefix length, as in 10.244.0.0/16",
  },
  "ipv6-cidr": {
    test: (text) => parseCidr(text)?.version === 6,
    form: "an IPv6 CIDR; write one address/prefix length, as in fd00:10:244::/56",
  },
  kubeconfig: {
    test: isKubeconfig,
    form: "a kubeconfig; write the whole file, with a current-context and the server of its cluster",
  },
  "no-proxy": {
    test: (text) => text.split(",").every((entry) => isWithoutProxy(entry.trim())),
    form: "a list of hosts; write names, domains and CIDRs, as in .example.org,10.1.0.0/16, and none with a *, which programs in Go do not support",
  },
  "openpgp-key": {
    test: (text) => publicKeys(text) !== undefined,
    form: "a public OpenPGP key; write armored text, or its binary form in base64",
  },
  "private-key": {
    test: (text) => PRIVATE_KEY.test(text),
    form: "a private key; write the whole file, from -----BEGIN to the last -----",
  },
  "proxy-url": {
    test: (text) => isUrl(text) && !/[/?#]./.test(text.replace(/^https?:\/\//, "")),
    form: "a URL of a proxy; write http://host:port, or http://user:password@host:port with %XX for special characters in them, such as %25 for a %",
  },
  registry: {
    test: isRegistry,
    form: "a registry as in the names of images; write its host, in lower-case letters with a dot or a port, as in registry.example:5000",
  },
  "ssh-public-key": {
    test: (text) => SSH_PUBLIC_KEY.test(text),
    form: "a public SSH key; write its type and its data, as in ssh-ed25519 AAAAC3Nza..., without a host before or a comment after them",
  },
  text: { test: () => true, form: "a string" },
  time: { test: isTime, form: "a time; write one of UTC, as in 2027-01-31T00:00:00Z" },
  traffic: {
    test: (text) => parseTraffic(text) !== undefined,
    form: "a port or protocol; write protocol/port or protocol/first-last of tcp, udp or sctp, as in udp/8472, or one of ah, esp, gre, icmp and ipip",
  },
  uuid: {
    test: isUuid,
    form: "an id; write one as OpenStack has it, as in 6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d",
  },
};

/** A private key in OpenSSH or PEM format; in PEM with the headers of a passphrase, if any. */
const PRIVATE_KEY =
  /^-----BEGIN ([A-Z]+ )?PRIVATE KEY-----\r?\n(?:(?:Proc-Type|DEK-Info): .*\n)*[^-]+-----END ([A-Z]+ )?PRIVATE KEY-----\s*$/;

/** A line of authorized_keys without options and comment. */
const SSH_PUBLIC_KEY = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)) AAAA[A-Za-z0-9+/]+={0,2}$/;

/**
 * Returns true if Go programs such as containerd can parse the URL too. Go requires valid percent-encoding, except in
 * the query, and allows only some characters in the login (https://pkg.go.dev/net/url).
 */
function isUrl(text: string): boolean {
  const [, login = ""] = /^https?:\/\/(?:([^/?#]*)@)?/.exec(text) ?? [];
  const isPlain = /^https?:\/\/[^\s"'\\]+$/.test(text) && URL.canParse(text);
  const withoutQuery = text.replace(/\?[^#]*/, "");
  return isPlain && !/%(?![0-9a-fA-F]{2})/.test(withoutQuery) && /^[\w.~!$&()*+,;=:@%-]*$/.test(login);
}

/** Returns true for a valid entry of `no_proxy`: a host, a domain suffix, an address or a CIDR. */
function isWithoutProxy(entry: string): boolean {
  const isName = /^(\*?\.)?\w[-\w.]*(:\d+)?$/.test(entry) || /^\[[0-9a-fA-F:]+\](:\d+)?$/.test(entry);
  return entry === "" || entry === "*" || isName || isIP(entry) !== 0 || parseCidr(entry) !== undefined;
}

/** Returns true for an existing time in UTC. Date.parse alone would read February 31 as March 3. */
function isTime(text: string): boolean {
  const [, second] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  const time = Date.parse(`${second}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString() === `${second}.000Z`;
}

/** Returns true for a normalized path whose characters need no quoting in fstab, exports and ganesha.conf. */
function isAbsolutePath(text: string): boolean {
  return /^(\/[A-Za-z0-9._-]+)+$/.test(text) && !/\/\.{1,2}(\/|$)/.test(text);
}

/**
 * Returns true for a registry's host. In an image name a first part without a dot and a port belongs to Docker Hub:
 * https://github.com/distribution/reference
 */
function isRegistry(text: string): boolean {
  const [, host = "", port] = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(:[1-9]\d{0,4})?$/.exec(text) ?? [];
  const isOfHub = port === undefined && !host.includes(".") && host !== "localhost";
  return host !== "" && !isOfHub && URL.canParse(`https://${text}`);
}

function isHostsLine(text: string): boolean {
  const [, address = ""] = /^(\S+) +[A-Za-z0-9][\w.-]*$/.exec(text) ?? [];
  return isIP(address) !== 0;
}

/** Returns true for a kubeconfig whose current context has the URL of a cluster. */
function isKubeconfig(text: string): boolean {
  let value: unknown;
  try {
    value = yamlData(text, "it");
  } catch {
    return false;
  }
  return /^https?:\/\/./.test(String(currentContext(value).cluster["server"]));
}
