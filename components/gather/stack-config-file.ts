import { existsSync, readFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { isFields } from "../kube/objects/object";
import { yamlData } from "../base/yaml/yaml";

/** Environment variable with another file for the stack config. Pulumi does not pass `--config-file` to programs. */
export const CONFIG_FILE = "PULUMI_OPTION_CONFIG_FILE";

/** Names of a project file, in Pulumi's order. */
const PROJECT_FILES = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

/** Returns the project file in a folder. Undefined: there is none. */
export function projectFile(folder: string): string | undefined {
  return PROJECT_FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * Returns the path of the stack config, by Pulumi's rule: `Pulumi.<stack>` with the extension of the project file, in
 * the project's folder `stackConfigDir`, or next to the project file.
 *
 * @param folder folder of the project file
 */
export function stackConfigFile(stack: string, folder: string): string {
  const other = process.env[CONFIG_FILE];
  if (other !== undefined) return resolve(folder, other);
  const project = projectFile(folder);
  if (project === undefined) return join(folder, `Pulumi.${stack}.yaml`);
  // an absolute path counts from the folder too
  return join(folder, stackConfigDir(projectData(project)), `Pulumi.${stack}${extname(project)}`);
}

/** Reads the config in the project file, which applies to all stacks, by key. */
export function projectConfig(folder: string): Readonly<Record<string, unknown>> {
  const project = projectFile(folder);
  const config = project === undefined ? undefined : projectData(project)["config"];
  return isFields(config) ? config : {};
}

function projectData(path: string): Readonly<Record<string, unknown>> {
  const data = yamlData(readFileSync(path, "utf8"), path);
  return isFields(data) ? data : {};
}

/** The setting stackConfigDir of a project file. Older project files have it as a string in `config`. */
function stackConfigDir({ stackConfigDir: folder, config }: Readonly<Record<string, unknown>>): string {
  if (typeof folder === "string") return folder;
  return typeof config === "string" ? config : "";
}
