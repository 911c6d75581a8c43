import * as pulumi from "@pulumi/pulumi";
import { SettingsFault } from "../fault";
import { jsonOrText } from "../json";
import type { Settings } from "../settings/model";
import { parseSettings } from "../settings/parse";

const KEYS = ["vnfm:vnfs", "vnfm:clusterTemplates", "vnfm:policy"];

/**
 * Reads and checks `vnfm:vnfs` and `vnfm:clusterTemplates` of the stack config. Nothing else in the program reads them.
 *
 * @returns the settings, with the faults that were found in them
 * @throws SettingsFault where there is no `vnfm:vnfs`
 */
export function readSettings(): Settings {
  // Config.getObject warns of every secret inside of the object; the schema says which values are secret, and
  // parseSettings wraps just those
  const config = pulumi.runtime.allConfig();
  const unknown = Object.keys(config).filter((key) => key.startsWith("vnfm:") && !KEYS.includes(key));
  const faults = unknown.map((key) => `${key}: unknown setting; known are ${KEYS.join(", ")}`);
  const text = config["vnfm:vnfs"];
  if (text === undefined) {
    throw new SettingsFault([...faults, "vnfm:vnfs: is required; 'vnfm init' writes a first one"]);
  }
  const { settings, warnings } = parseSettings(
    jsonOrText(text),
    jsonOrText(config["vnfm:clusterTemplates"] ?? "{}"),
  );
  for (const warning of warnings) void pulumi.log.warn(warning);
  const policy = config["vnfm:policy"];
  return { ...settings, ...(policy !== undefined && { policy }), faults: [...faults, ...settings.faults] };
}
