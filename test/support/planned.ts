import { readProjectFile } from "../../components/gather/project-file";
import type { InstancePlan } from "../../components/plan/model";
import { planStack } from "../../components/plan/stack";
import { parseSettings } from "../../components/settings/parse";
import { loadPackage } from "./packages";

type Sources = Parameters<typeof planStack>[1];

/**
 * Plans the instances of a stack config, as the program does.
 *
 * @param vnfs value of `vnfm:vnfs`
 * @param sources other readers of packages and files. @default the readers of this repository
 * @param templates value of `vnfm:clusterTemplates`
 * @throws SettingsFault
 */
export function planOf(
  vnfs: unknown,
  sources: Partial<Sources> = {},
  templates: unknown = {},
): InstancePlan[] {
  const { settings } = parseSettings(vnfs, templates);
  return planStack(settings, { loadPackage, readProjectFile, ...sources });
}
