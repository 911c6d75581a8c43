import * as pulumi from "@pulumi/pulumi";
import { SettingsFault, type Settings } from "./model";
import { parseSettings } from "./parse";

/**
 * Reads `vnfm:vnfs` of the stack config: the only place that does.
 * @throws SettingsFault with every fault.
 */
export function readSettings(): Settings {
  // Config.getObject warns of every secret inside of the object; the schema says which values are secret, and
  // parseSettings wraps just those
  const text = pulumi.runtime.allConfig()["vnfm:vnfs"];
  if (text === undefined) {
    throw new SettingsFault(["vnfm:vnfs: is required; Pulumi.dev.yaml shows a complete one"]);
  }
  const { settings, warnings } = parseSettings(JSON.parse(text));
  for (const warning of warnings) void pulumi.log.warn(warning);
  return settings;
}
