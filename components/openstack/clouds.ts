import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Fault } from "../fault";
import { yamlData } from "../yaml";

/** Keys of clouds.yaml, or ours, each with its key in the stack config and the variable that the provider takes. */
const SETTINGS = {
  auth_url: ["authUrl", "OS_AUTH_URL"],
  user_id: ["userId", "OS_USER_ID"],
  username: ["userName", "OS_USERNAME"],
  password: ["password", "OS_PASSWORD"],
  project_id: ["tenantId", "OS_PROJECT_ID"],
  project_name: ["tenantName", "OS_PROJECT_NAME"],
  user_domain_id: ["userDomainId", "OS_USER_DOMAIN_ID"],
  user_domain_name: ["userDomainName", "OS_USER_DOMAIN_NAME"],
  project_domain_id: ["projectDomainId", "OS_PROJECT_DOMAIN_ID"],
  project_domain_name: ["projectDomainName", "OS_PROJECT_DOMAIN_NAME"],
  domain_id: ["domainId", "OS_DOMAIN_ID"],
  domain_name: ["domainName", "OS_DOMAIN_NAME"],
  application_credential_id: ["applicationCredentialId", "OS_APPLICATION_CREDENTIAL_ID"],
  application_credential_name: ["applicationCredentialName", "OS_APPLICATION_CREDENTIAL_NAME"],
  application_credential_secret: ["applicationCredentialSecret", "OS_APPLICATION_CREDENTIAL_SECRET"],
  region_name: ["region", "OS_REGION_NAME"],
  endpoint_type: ["endpointType", "OS_ENDPOINT_TYPE"],
  cacert: ["cacertFile", "OS_CACERT"],
} as const;

type Setting = keyof typeof SETTINGS;
type Settings = Readonly<Partial<Record<Setting, string>>>;

/** How to reach and use a cloud: what is set is text that is not empty. */
export interface CloudAccess extends Settings {
  readonly auth_url: string;
  /** Where the settings come from, for messages. */
  readonly source: string;
}

interface CloudsFile {
  readonly clouds?: Readonly<Record<string, (Settings & { readonly auth?: Settings }) | undefined>>;
}

/**
 * The cloud that a stack's OpenStack provider uses: its `openstack:*` config, then the cloud of clouds.yaml
 * that `openstack:cloud` or OS_CLOUD names, then the OS_* variables; but the region of OS_REGION_NAME before that of
 * clouds.yaml, and no type of endpoint of clouds.yaml.
 *
 * @throws Fault naming the setting that is missing
 */
export function cloudAccess(
  config: Readonly<Record<string, string | undefined>>,
  env: NodeJS.ProcessEnv = process.env,
): CloudAccess {
  const name = config["openstack:cloud"] || env["OS_CLOUD"];
  const file = name ? cloudOfFile(name, env) : undefined;
  const settings: Partial<Record<Setting, string>> = {};
  for (const [key, [configKey, variable]] of Object.entries(SETTINGS)) {
    const others = [file?.settings[key as Setting], env[variable]];
    if (key === "region_name") others.reverse();
    if (key === "endpoint_type") others.shift();
    const value = config[`openstack:${configKey}`] || others.find(Boolean);
    if (value) settings[key as Setting] = value;
  }
  const { auth_url } = settings;
  const source = file?.source ?? "the stack config and the OS_* variables";
  if (auth_url === undefined) {
    throw new Fault(
      file === undefined
        ? "no cloud is set: set openstack:cloud in the stack config, or OS_CLOUD, or OS_AUTH_URL with its user"
        : `${source} has no auth.auth_url`,
    );
  }
  return { ...settings, auth_url, source };
}

function cloudOfFile(name: string, env: NodeJS.ProcessEnv): { settings: Settings; source: string } {
  const places = [
    env["OS_CLIENT_CONFIG_FILE"],
    "clouds.yaml",
    join(env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "openstack/clouds.yaml"),
    "/etc/openstack/clouds.yaml",
  ].filter((place) => place !== undefined);
  const path = places.find((place) => existsSync(place));
  if (path === undefined)
    throw new Fault(`cloud ${name}: there is no clouds.yaml, neither ${places.join(" nor ")}`);
  const cloud = readClouds(path)?.[name];
  if (cloud === undefined) throw new Fault(`cloud ${name} is not in ${path}`);
  // passwords may stand in a file of their own
  const secure = readClouds(join(dirname(path), "secure.yaml"))?.[name];
  return {
    settings: { ...cloud, ...secure, ...cloud.auth, ...secure?.auth },
    source: `cloud ${name} of ${path}`,
  };
}

function readClouds(path: string): CloudsFile["clouds"] {
  return existsSync(path)
    ? (yamlData(readFileSync(path, "utf8"), path) as CloudsFile | null)?.clouds
    : undefined;
}
