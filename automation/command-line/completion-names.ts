import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { yamlData } from "../../components/base/yaml/yaml";
import { filesOf } from "../../components/gather/project-files";
import { stackConfigFile } from "../../components/gather/stack-config-file";
import { isFields } from "../../components/kube/objects/object";
import { SECRET_NAMES } from "../operations/rotate";
import { intentOf, type IntendedVnf } from "../stack/intent";
import type { Vnfs } from "../stack/stack-config";
import type { Names } from "./completion";
import { SHELLS } from "./completion-scripts";

/**
 * The names in the stack configs of a folder. Pulumi is not started, as that would take seconds for each key press.
 * Files that cannot be read have no names.
 * @param stack only this one. @default all of them
 */
export function namesIn(folder: string, stack?: string): Names {
  const stacks = readdirSync(folder).flatMap(
    (file) => /^Pulumi\.(.+)\.(?:yaml|yml|json)$/.exec(file)?.[1] ?? [],
  );
  const configs = (stack === undefined ? stacks : [stack]).map((name) => configOf(folder, name));
  const intended = (vnf: string): IntendedVnf[] =>
    configs.flatMap((config) =>
      Object.hasOwn(config.vnfs, vnf) ? (intentIn(folder, config).get(vnf) ?? []) : [],
    );
  const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();
  return {
    stacks: distinct(stacks),
    instances: distinct(configs.flatMap(({ vnfs }) => Object.keys(vnfs))),
    vnfcs: (vnf) => distinct(intended(vnf).flatMap(({ vnfcs }) => vnfcs)),
    aspects: (vnf) => distinct(intended(vnf).flatMap(({ scaleLevels }) => Object.keys(scaleLevels))),
    secrets: SECRET_NAMES,
    shells: SHELLS,
  };
}

interface Config {
  readonly vnfs: Vnfs;
  readonly clusterTemplates?: unknown;
}

function configOf(folder: string, stack: string): Config {
  try {
    const file = stackConfigFile(stack, folder);
    const data = extname(file) === "" ? undefined : yamlData(readFileSync(file, "utf8"), file);
    const config = isFields(data) && isFields(data["config"]) ? data["config"] : {};
    const { "vnfm:vnfs": vnfs, "vnfm:clusterTemplates": clusterTemplates } = config;
    return {
      vnfs: isFields(vnfs) ? (vnfs as Vnfs) : {},
      ...(clusterTemplates !== undefined && { clusterTemplates }),
    };
  } catch {
    return { vnfs: {} };
  }
}

/** The planned instances; none for a stack config with an error, or with encrypted settings that cannot be checked. */
function intentIn(folder: string, config: Config): ReadonlyMap<string, IntendedVnf> {
  try {
    return intentOf({ ...config, files: filesOf(folder) });
  } catch {
    return new Map();
  }
}
