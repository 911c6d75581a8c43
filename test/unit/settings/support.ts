import { planStack } from "../../../components/plan/stack";
import type { VnfPlan } from "../../../components/plan/model";
import { readProjectFile } from "../../../components/plan/project-file";
import { SettingsFault } from "../../../components/settings/model";
import { parseSettings } from "../../../components/settings/parse";
import type { VnfPackage } from "../../../components/vnfd/model";
import { loadPackage } from "../../../components/vnfd/package";
import { clusterVnf, webCnf } from "../../support/configs";

/** Where the parameters of the cluster of `validConfig` are. */
export const INSTALLATION = "vnf-a.additionalParams.k8s_cluster_installation_param";

/** A cluster and a CNF on it. */
export function validConfig(): Record<string, unknown> {
  return structuredClone({ "vnf-a": clusterVnf(2), "vnf-b": webCnf("web") });
}

/** The valid config with other values at some settings; undefined removes one. */
export function configWith(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const config = validConfig();
  for (const [setting, value] of Object.entries(changes)) {
    const keys = setting.split(".");
    const last = keys.pop() ?? "";
    let place = config;
    for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
    if (value === undefined) delete place[last];
    else place[last] = value;
  }
  return config;
}

const packages = new Map<string, VnfPackage>();

/** What the program does with a stack config before it makes anything, with the packages of this project. */
export function planOf(vnfs: unknown): VnfPlan[] {
  return planStack(parseSettings(vnfs).settings, { loadPackage: loadOnce, readProjectFile });
}

function loadOnce(location: string): VnfPackage {
  const known = packages.get(location) ?? loadPackage(location);
  packages.set(location, known);
  return known;
}

/** The faults that the program shows, each without `vnfm:vnfs.` in front. */
export function faultsOf(vnfs: unknown): string[] {
  try {
    planOf(vnfs);
  } catch (error) {
    if (error instanceof SettingsFault)
      return error.faults.map((fault) => fault.replace(/^vnfm:vnfs\.?/, ""));
    throw error;
  }
  return [];
}
