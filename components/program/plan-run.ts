import * as pulumi from "@pulumi/pulumi";
import { askKinds, askVersion } from "../deploy/objects/ask-cluster";
import { textOf } from "../findings";
import { renderCharts } from "../gather/charts";
import { withDefinitionWarnings } from "../gather/definitions";
import type { ProjectFiles } from "../gather/project-files";
import { readVimVersions } from "../gather/vim-versions";
import type { FormerOutputs } from "../plan/cluster-api/version-steps";
import { credentialEnds } from "../plan/credential-end";
import type { InstancePlan } from "../plan/model";
import { renameWarning } from "../plan/renamed";
import { planStack } from "../plan/stack";
import { wantedCharts } from "../plan/wanted-charts";
import { printable } from "../printable.cjs";
import { assertFound } from "../remote/program-command";
import type { Settings } from "../settings/model";

/**
 * What shall exist for all VNF instances of a run. Tells what the operator should know of it though it is no fault.
 *
 * @param former what the last run has shown
 * @param files of the project
 * @throws SettingsFault with all that is wrong
 */
export async function planRun(
  settings: Settings,
  former: FormerOutputs,
  files: ProjectFiles,
): Promise<InstancePlan[]> {
  assertFound(process.cwd());
  const versions = await readVimVersions(settings, former, askVersion);
  const charts = await renderCharts(wantedCharts(settings, files, versions));
  const now = Date.now();
  const plans = planStack(settings, { ...files, charts, run: { former, now } });
  const ends = credentialEnds(plans, now).warnings.map(textOf);
  const renamed = renameWarning(plans, former);
  for (const warning of [...ends, ...(renamed === undefined ? [] : [renamed])])
    void pulumi.log.warn(printable(warning));
  return withDefinitionWarnings(plans, askKinds);
}
