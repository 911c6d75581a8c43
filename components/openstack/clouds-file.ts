import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { Fault } from "../base/fault";
import { Findings, type Place } from "../base/findings";
import { didYouMean, oneOf } from "../base/nearest";
import { own } from "../base/own";
import { yamlData } from "../base/yaml/yaml";

/** A cloud of clouds.yaml: strings by key, including those of `auth`, without empty ones. */
export interface CloudOfFile {
  readonly settings: Readonly<Record<string, string>>;
  /** Names of the file and the cloud, for messages. */
  readonly source: string;
}

/** Keys with string values, even if YAML would read them as a number or boolean. */
const TEXTS = [
  ...["cloud", "profile", "auth_type", "region_name", "identity_api_version", "volume_api_version"],
  ...["interface", "endpoint_type", "cacert", "cert", "key"],
];
const AUTH_TEXTS = [
  ...["auth_url", "token", "username", "user_id", "password", "project_name", "project_id"],
  ...["user_domain_name", "user_domain_id", "project_domain_name", "project_domain_id", "domain_name"],
  ...["domain_id", "default_domain", "system_scope", "application_credential_id"],
  ...["application_credential_name", "application_credential_secret"],
];

/** A boolean of YAML 1.1, as in go-yaml. */
const BOOLEAN = /^(y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;

type Fields = Readonly<Record<string, unknown>>;

/** A cloud in a file. */
interface Cloud {
  readonly settings: Readonly<Record<string, string>>;
  /** Settings by region; of several entries with one name the first counts. */
  readonly regions: readonly { readonly name: string; readonly settings: Readonly<Record<string, string>> }[];
}

interface File {
  readonly path: string;
  readonly clouds: Readonly<Record<string, Cloud>>;
}

/**
 * Reads a cloud of clouds.yaml in the same way as the OpenStack provider, by clientconfig of gophercloud/utils.
 * Settings in secure.yaml take precedence over clouds.yaml, and these over a profile in clouds-public.yaml.
 *
 * @param region region whose settings take precedence over those of the cloud. Undefined: none
 * @param folder folder in which the provider runs: the project's
 * @throws Fault with the error and the file
 */
export function cloudOfFile(
  name: string,
  region: string | undefined,
  env: NodeJS.ProcessEnv,
  folder: string,
): CloudOfFile {
  const configured = env["OS_CLIENT_CONFIG_FILE"] ? [inFolder(folder, env["OS_CLIENT_CONFIG_FILE"])] : [];
  const file = readFirst(folder, "clouds", "clouds", configured);
  if (file === undefined) {
    const places = [...configured, ...placesOf(folder, "clouds")];
    throw new Fault(
      `cloud ${name}: there is no clouds.yaml, neither ${places.join(" nor ")}; if it is elsewhere, set OS_CLIENT_CONFIG_FILE`,
    );
  }
  const cloud = own(file.clouds, name);
  const known = Object.keys(file.clouds);
  if (cloud === undefined)
    throw new Fault(`cloud ${name} is not in ${file.path}; ${oneOf(known)}${didYouMean(name, known)}`);
  const source = `cloud ${name} of ${file.path}`;
  const secure = own(readFirst(folder, "secure", "clouds")?.clouds ?? {}, name);
  const parts = [secure, cloud, publicCloud(cloud, source, folder)].filter((part) => part !== undefined);
  const ofRegion = parts
    .flatMap(({ regions }) => regions)
    .find((one) => region !== undefined && one.name === region);
  const all = [ofRegion, ...parts].map((part) => part?.settings).reverse();
  return { settings: Object.assign({}, ...all) as CloudOfFile["settings"], source };
}

function publicCloud({ settings }: Cloud, source: string, folder: string): Cloud | undefined {
  const profile = settings["profile"] ?? settings["cloud"];
  if (profile === undefined) return undefined;
  const file = readFirst(folder, "clouds-public", "public-clouds");
  const found = own(file?.clouds ?? {}, profile);
  if (found !== undefined) return found;
  const where =
    file?.path ?? `clouds-public.yaml, which is neither ${placesOf(folder, "clouds-public").join(" nor ")}`;
  throw new Fault(
    `${source}: its profile ${profile} is not in ${where}; profiles built into openstacksdk are not supported by the ` +
      "OpenStack provider: write auth.auth_url and region_name instead of the profile",
  );
}

/** Returns the paths where the provider searches for a file, in its order. */
function placesOf(folder: string, file: string): readonly string[] {
  return [".yaml", ".yml"].flatMap((end) =>
    [folder, join(homedir(), ".config/openstack"), "/etc/openstack"].map((place) => join(place, file + end)),
  );
}

/** Resolves a path relative to a folder. */
export function inFolder(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function readFirst(
  folder: string,
  file: string,
  key: string,
  before: readonly string[] = [],
): File | undefined {
  const path = [...before, ...placesOf(folder, file)].find((place) => existsSync(place));
  return path === undefined ? undefined : readClouds(path, key);
}

/** @throws Fault with all errors in the file: the provider then rejects all of its clouds */
function readClouds(path: string, key: string): File {
  const faults = new Findings();
  // all values are strings without conversion; empty ones are null
  const data = yamlData(textOf(path), path, { schema: "failsafe", customTags: ["null"] });
  const root = mapOf(data, faults.at());
  const place = faults.at(key);
  const clouds = Object.entries(mapOf(own(root, key), place)).map(
    ([name, cloud]) => [name, cloudOf(cloud, place.get(name))] as const,
  );
  if (faults.all.length > 0)
    throw new Fault(`${path} is not valid for the OpenStack provider:\n  ${faults.texts.join("\n  ")}`);
  return { path, clouds: Object.fromEntries(clouds) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "it is not a file"}`);
  }
}

function cloudOf(value: unknown, place: Place): Cloud {
  const cloud = mapOf(value, place);
  const auth = mapOf(own(cloud, "auth"), place.get("auth"));
  const verify = textsOf(cloud, ["verify"], place);
  if (verify["verify"] !== undefined && !BOOLEAN.test(verify["verify"]))
    place.get("verify").fault("is neither true nor false");
  const regions = own(cloud, "regions") ?? [];
  if (!Array.isArray(regions)) place.get("regions").fault("is not a list");
  return {
    settings: {
      ...textsOf(cloud, TEXTS, place),
      ...verify,
      ...textsOf(auth, AUTH_TEXTS, place.get("auth")),
    },
    regions: (Array.isArray(regions) ? (regions as readonly unknown[]) : []).flatMap((region, i) => {
      if (typeof region === "string") return [{ name: region, settings: {} }];
      const regionPlace = place.get("regions", i);
      const named = mapOf(region, regionPlace);
      const { name = "" } = textsOf(named, ["name"], regionPlace);
      const { settings } = cloudOf(own(named, "values"), regionPlace.get("values"));
      return [{ name, settings }];
    }),
  };
}

/** A map, which may be empty or left out. */
function mapOf(value: unknown, place: Place): Fields {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Fields;
  const subject = place.parts.length === 0 ? "it " : "";
  place.fault(`${subject}is ${Array.isArray(value) ? "a list" : "a text"}, and no map`);
  return {};
}

/** Returns the strings of some keys, without empty ones. */
function textsOf(map: Fields, keys: readonly string[], place: Place): Record<string, string> {
  const found = keys.flatMap((key): [string, string][] => {
    const value = own(map, key);
    if (typeof value === "string") return value === "" ? [] : [[key, value]];
    if (value !== undefined && value !== null)
      place.get(key).fault(`is ${Array.isArray(value) ? "a list" : "a map"}, and no text`);
    return [];
  });
  return Object.fromEntries(found);
}
