import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isCertificates } from "../base/keys/certificates";
import { Fault } from "../base/fault";
import type { Tls } from "../base/net/http-agent";
import { jsonOf } from "../base/json";
import { cloudOfFile, inFolder } from "./clouds-file";

/** Keys of clouds.yaml or of vnfm, each with its key in the stack config and the provider's variables. */
const SETTINGS = {
  auth_url: ["authUrl", "OS_AUTH_URL"],
  token: ["token", "OS_TOKEN", "OS_AUTH_TOKEN"],
  user_id: ["userId", "OS_USER_ID"],
  username: ["userName", "OS_USERNAME"],
  password: ["password", "OS_PASSWORD"],
  project_id: ["tenantId", "OS_TENANT_ID", "OS_PROJECT_ID"],
  project_name: ["tenantName", "OS_TENANT_NAME", "OS_PROJECT_NAME"],
  user_domain_id: ["userDomainId", "OS_USER_DOMAIN_ID"],
  user_domain_name: ["userDomainName", "OS_USER_DOMAIN_NAME"],
  project_domain_id: ["projectDomainId", "OS_PROJECT_DOMAIN_ID"],
  project_domain_name: ["projectDomainName", "OS_PROJECT_DOMAIN_NAME"],
  domain_id: ["domainId", "OS_DOMAIN_ID"],
  domain_name: ["domainName", "OS_DOMAIN_NAME"],
  default_domain: ["defaultDomain", "OS_DEFAULT_DOMAIN"],
  application_credential_id: ["applicationCredentialId", "OS_APPLICATION_CREDENTIAL_ID"],
  application_credential_name: ["applicationCredentialName", "OS_APPLICATION_CREDENTIAL_NAME"],
  application_credential_secret: ["applicationCredentialSecret", "OS_APPLICATION_CREDENTIAL_SECRET"],
} as const;

type Setting =
  | keyof typeof SETTINGS
  | "system_scope"
  | "auth_type"
  | "region_name"
  | "endpoint_type"
  | "cacert"
  | "cert"
  | "key"
  | "verify";
type Settings = Readonly<Partial<Record<Setting, string>>>;

/** Access to a cloud: its API and a login. Each setting is undefined or a non-empty string. */
export interface CloudAccess extends Settings {
  readonly auth_url: string;
  /** Source of the settings, for messages. */
  readonly source: string;
  /** URLs, or other types in the catalog, by the provider's names of services. @default the catalog's endpoints */
  readonly endpointOverrides?: Readonly<Record<string, string>>;
}

const ENDPOINT_TYPES = ["public", "internal", "admin"].flatMap((type) => [type, `${type}URL`]);

/**
 * Finds the cloud that a stack's OpenStack provider uses, by the provider's rules (terraform-provider-openstack/utils,
 * auth): the cloud of clouds.yaml that `openstack:cloud` or OS_CLOUD names, completed by the OS_* variables; without
 * such a cloud the `openstack:*` config, completed by these variables. Region, CA and type of endpoint come from the
 * config first, then from the variables, and last from the file, except for the type of endpoint.
 * @param folder folder in which the provider runs: the project's
 * @throws Fault with the wrong or missing setting
 */
export function cloudAccess(
  config: Readonly<Record<string, string | undefined>>,
  env: NodeJS.ProcessEnv = process.env,
  folder = ".",
): CloudAccess {
  const before = (key: string, variable: string) => config[`openstack:${key}`] || env[variable] || undefined;
  const name = before("cloud", "OS_CLOUD");
  const region = before("region", "OS_REGION_NAME");
  const file = name === undefined ? undefined : cloudOfFile(name, region, env, folder);
  if (file !== undefined) assertNoneBeside(config);
  const source = file?.source ?? "the stack config and the OS_* variables";
  const logins = Object.entries(SETTINGS).map(([key, [configKey, ...variables]]) => {
    const ofEnvironment = variables.map((variable) => env[variable]);
    // with a cloud, the provider uses the opposite order for these
    const values =
      file === undefined
        ? [config[`openstack:${configKey}`], ...ofEnvironment]
        : [file.settings[key], ...ofEnvironment.reverse()];
    return [key, values.find(Boolean)];
  });
  const insecure = before("insecure", "OS_INSECURE");
  const others: [Setting, string | undefined][] = [
    ["region_name", region ?? file?.settings["region_name"]],
    ["endpoint_type", before("endpointType", "OS_ENDPOINT_TYPE")],
    ["cacert", pemFrom(folder, before("cacertFile", "OS_CACERT") ?? file?.settings["cacert"])],
    ["cert", pemFrom(folder, before("cert", "OS_CERT") ?? file?.settings["cert"])],
    ["key", pemFrom(folder, before("key", "OS_KEY") ?? file?.settings["key"])],
    [
      "verify",
      insecure === undefined ? file?.settings["verify"] : /^(1|t|true)$/i.test(insecure) ? "false" : "true",
    ],
    ["auth_type", file?.settings["auth_type"]],
    ["system_scope", file?.settings["system_scope"] ?? env["OS_SYSTEM_SCOPE"]],
  ];
  const settings = Object.fromEntries([...logins, ...others].filter(([, value]) => value)) as Settings;
  const { auth_url, endpoint_type: type } = settings;
  if (auth_url === undefined) {
    throw new Fault(
      file === undefined
        ? "no cloud is set: set openstack:cloud in the stack config, or OS_CLOUD, or OS_AUTH_URL with its user"
        : `${source} has no auth.auth_url`,
    );
  }
  if (!URL.canParse(auth_url))
    throw new Fault(`${source}: auth_url is not a URL; write https://host:port/v3`);
  assertVersion(auth_url, {
    ...settings,
    source,
    version: env["OS_IDENTITY_API_VERSION"] || file?.settings["identity_api_version"],
  });
  if (type !== undefined && !ENDPOINT_TYPES.includes(type)) {
    const allowed = ENDPOINT_TYPES.join(", ");
    throw new Fault(
      `openstack:endpointType or OS_ENDPOINT_TYPE: ${JSON.stringify(type)} is not one of ${allowed}`,
    );
  }
  const endpointOverrides = textsIn(config["openstack:endpointOverrides"]);
  return {
    // the provider's default where no cloud is named
    ...(file === undefined && { default_domain: "default" }),
    ...settings,
    ...(endpointOverrides && { endpointOverrides }),
    auth_url,
    source,
  };
}

/** A cloud of clouds.yaml, by its name. */
export interface NamedCloud {
  readonly cloud: string;
  /** @default that of the file */
  readonly region?: string;
}

/** Variables that select the file and the stack's cloud in it, and no login. */
const OF_FILE = ["OS_CLOUD", "OS_CLIENT_CONFIG_FILE"];

/**
 * Returns the access to a cloud of clouds.yaml that an instance or a provider names, in addition to the stack's cloud.
 * @param folder folder in which the provider runs: the project's
 * @throws Fault with the wrong or missing setting, or if the environment has a login or a region of another cloud, by
 * which the provider would complete the file, or replace its settings
 */
export function namedCloudAccess(
  { cloud, region }: NamedCloud,
  env: NodeJS.ProcessEnv = process.env,
  folder = ".",
): CloudAccess {
  const config = { "openstack:cloud": cloud, "openstack:region": region };
  const others = Object.keys(env).filter(
    (name) => name.startsWith("OS_") && env[name] && !OF_FILE.includes(name),
  );
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !others.includes(name)));
  const access = cloudAccess(config, rest, folder);
  if (JSON.stringify(cloudAccess(config, env, folder)) === JSON.stringify(access)) return access;
  throw new Fault(
    `${others.join(", ")} of the environment would change the login or the region of the cloud ${cloud}: unset what ` +
      "is not the same for all clouds, and set the cloud of the stack by openstack:cloud or OS_CLOUD",
  );
}

/** Returns the strings of a map, which Pulumi passes as JSON. Other values are ignored, as by the provider. */
function textsIn(map: string | undefined): Readonly<Record<string, string>> | undefined {
  const value = map === undefined ? undefined : jsonOf(map);
  if (typeof value !== "object" || value === null) return undefined;
  const texts = Object.entries(value).filter(([, text]) => typeof text === "string" && text !== "");
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

/** Returns a `cacert`, `cert` or `key` of a cloud; the path of a file becomes absolute. */
function pemFrom(folder: string, pem: string | undefined): string | undefined {
  const isFile = pem !== undefined && !pem.includes("-----BEGIN ") && !pem.startsWith("~/");
  return isFile ? inFolder(folder, pem) : pem;
}

/**
 * Returns the TLS options of the provider: it trusts only the `cacert` of the cloud, and presents a client certificate
 * if there is a key.
 *
 * @throws Fault if one of them is neither a file nor PEM
 */
export function tlsOf({ cacert, cert, key, source }: CloudAccess): Tls {
  return {
    ...(cacert !== undefined && { ca: pemText(cacert, "cacert", source) }),
    ...(cert !== undefined &&
      key !== undefined && { cert: pemText(cert, "cert", source), key: pemText(key, "key", source) }),
  };
}

/**
 * Returns the certificates of the cloud's CA, in PEM. `cacert` is the path of a file, also with `~`, or their text.
 *
 * @throws Fault if it is neither
 */
export function certificatesOf({ cacert, source }: CloudAccess): string | undefined {
  if (cacert === undefined) return undefined;
  const isText = cacert.includes("-----BEGIN ");
  const subject = isText ? "cacert" : `cacert, the file ${pathOf(cacert)},`;
  return onlyCertificates(pemText(cacert, "cacert", source), `${source}: ${subject}`);
}

/** @throws Fault if it is neither a file nor PEM */
function pemText(pem: string, setting: "cacert" | "cert" | "key", source: string): string {
  if (pem.includes("-----BEGIN ")) return pem;
  const path = pathOf(pem);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return readFileSync(path, "utf8");
  const what = setting === "key" ? "a private key" : "certificates";
  throw new Fault(`${source}: ${setting} is neither a file, ${path}, nor the content of ${what}`);
}

function pathOf(file: string): string {
  return file.startsWith("~/") ? join(homedir(), file.slice(2)) : file;
}

function onlyCertificates(text: string, subject: string): string {
  if (isCertificates(text)) return text;
  throw new Fault(
    `${subject} does not contain only certificates; clusters get it: write each from -----BEGIN CERTIFICATE----- to ` +
      "-----END CERTIFICATE-----, and no private key",
  );
}

/**
 * @throws Fault with the settings of a login in the stack config, if a cloud is set too: the provider would ignore them
 */
function assertNoneBeside(config: Readonly<Record<string, string | undefined>>): void {
  const unread = Object.values(SETTINGS)
    .map(([key]) => `openstack:${key}`)
    .filter((key) => config[key]);
  if (unread.length === 0) return;
  throw new Fault(
    `${unread.join(", ")}: the OpenStack provider ignores this if openstack:cloud or OS_CLOUD is set; ` +
      "write it into clouds.yaml, a password into secure.yaml, or set no cloud",
  );
}

/** @throws Fault unless the provider would use version 3 of Keystone's API */
function assertVersion(
  authUrl: string,
  {
    source,
    version,
    auth_type: type = "",
  }: Settings & { readonly source: string; readonly version: string | undefined },
): void {
  const isOld =
    version === undefined
      ? !authUrl.includes("v3") && (authUrl.includes("v2.0") || type.startsWith("v2"))
      : version !== "3";
  if (!isOld) return;
  throw new Fault(
    `${source}: version 3 of Keystone's API is required; identity_api_version or OS_IDENTITY_API_VERSION must be 3 or unset, ` +
      "auth_url must end with /v3, and auth_type must not begin with v2",
  );
}
