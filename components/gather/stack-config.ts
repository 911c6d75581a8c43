import { dirname, isAbsolute } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Findings } from "../base/findings";
import { printable } from "../base/printable";
import { SettingsFault } from "../base/settings-fault";
import { markEncrypted, writtenIn, type MarkedValue } from "../settings/encrypted";
import { jsonOrText } from "../base/json";
import type { Settings } from "../settings/model";
import { parseSettings } from "../settings/parse";
import { readProjectFile } from "./project-file";
import { CONFIG_FILE, projectFile, stackConfigFile } from "./stack-config-file";

const KEYS = ["vnfm:vnfs", "vnfm:clusterTemplates", "vnfm:policy"];

/**
 * Reads and checks `vnfm:vnfs` and `vnfm:clusterTemplates` of the stack config. Nothing else in vnfm reads them.
 *
 * @returns the settings, with their errors
 * @throws SettingsFault if there is no `vnfm:vnfs`
 */
export function readSettings(): Settings {
  // Config.getObject warns of every secret inside of the object
  const config = pulumi.runtime.allConfig();
  const unknown = Object.keys(config).filter((key) => key.startsWith("vnfm:") && !KEYS.includes(key));
  const faults = new Findings();
  for (const key of unknown) faults.at(key).fault(`unknown setting; allowed: ${KEYS.join(", ")}`);
  const text = config["vnfm:vnfs"];
  if (text === undefined) {
    faults.at("vnfm:vnfs").fault("is required; 'vnfm init' writes a first one");
    throw new SettingsFault(faults.all);
  }
  const secretKeys = process.env["PULUMI_CONFIG_SECRET_KEYS"] ?? "";
  const read = (key: string, text: string) => {
    const isSecret = secretKeys.includes(JSON.stringify(key));
    const marked = readValue(key, text, isSecret, configFile());
    for (const warning of warningsOf(marked)) void pulumi.log.warn(printable(warning));
    return marked.value;
  };
  const { settings, warnings } = parseSettings(
    read("vnfm:vnfs", text),
    read("vnfm:clusterTemplates", config["vnfm:clusterTemplates"] ?? "{}"),
  );
  for (const warning of warnings) void pulumi.log.warn(printable(warning));
  const policy = config["vnfm:policy"];
  faults.add(...settings.faults);
  return { ...settings, ...(policy !== undefined && { policy }), faults: faults.all };
}

/**
 * Parses a value of the config, and replaces each string that is encrypted in the stack's file by a Secret.
 *
 * @param text value from the engine: maps and lists as JSON, strings unchanged
 * @param isSecret true if a part of it is encrypted
 * @param file the stack's file
 */
export function readValue(key: string, text: string, isSecret: boolean, file: string): MarkedValue {
  const value = jsonOrText(text);
  if (!isSecret) return { value, unknown: [] };
  return markEncrypted(value, new Findings().at(key), writtenIn(readProjectFile(file), key));
}

function configFile(): string {
  return stackConfigFile(pulumi.getStack(), projectFolder());
}

/**
 * Returns the folder of the project file; undefined if the language host does not pass it, as one older than the SDK.
 */
function projectFolder(): string {
  const root = pulumi.runtime.getRootDirectory();
  if (isAbsolute(root)) return root;
  // `main` of the project may be a folder in it, in which the program runs
  let folder = process.cwd();
  while (projectFile(folder) === undefined && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Warnings about strings that count as encrypted although the file does not encrypt them. */
function warningsOf({ unknown: [first, ...others] }: MarkedValue): string[] {
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return [
    `${first}${more}: differs from ${configFile()}, and is therefore treated as encrypted; ` +
      `if the stack config is another file, set the variable ${CONFIG_FILE} instead of --config-file`,
  ];
}
