import * as pulumi from "@pulumi/pulumi";
import { askVersion } from "./deploy/objects/cluster-version";
import { makeVnfs } from "./deploy/instance";
import { checkClusterNeeds } from "./deploy/openstack/cluster-needs";
import { lookupBy, readOffer } from "./deploy/openstack/offer";
import { checkQuota } from "./deploy/openstack/quota";
import { tellServersInError } from "./deploy/openstack/server-errors";
import { checkServerNeeds } from "./deploy/openstack/server-needs";
import { clusterOutputs, vnfOutputs } from "./deploy/outputs";
import { runError } from "./deploy/run-error";
import { withShortStackTraces } from "./deploy/stack-traces";
import { SettingsFault, together } from "./fault";
import { renderCharts } from "./gather/charts";
import { readFormerOutputs } from "./gather/former-outputs";
import { readVims } from "./gather/other-stacks";
import { packageReader } from "./gather/packages";
import { readProjectFile } from "./gather/project-file";
import { readSettings } from "./gather/stack-config";
import { readVimVersions } from "./gather/vim-versions";
import { cloudAccess } from "./openstack/clouds";
import { OpenStack } from "./openstack/session";
import { own } from "./own";
import { versionFaults } from "./plan/cluster-api/version-steps";
import { credentialEnds } from "./plan/credential-end";
import { renameWarning } from "./plan/renamed";
import { planStack } from "./plan/stack";
import { wantedCharts } from "./plan/wanted-charts";
import { printable } from "./printable.cjs";

/**
 * A whole stack: makes what `vnfm:vnfs` of the stack config declares. Files are read from the project's folder. Call it
 * once in a program.
 *
 * @returns the stack's outputs. `vnfs`: state, VNFCs and endpoints of each VNF instance. `vimConnectionInfo` and
 * `kubeconfigs`: each cluster as a VIM in the words of the specification, and its kubeconfig; secrets, by instance.
 * @throws pulumi.RunError where something is the operator's to mend
 */
export async function stack() {
  try {
    return await deployStack();
  } catch (error) {
    // what is the operator's to mend is shown without a stack trace
    throw runError(error);
  }
}

async function deployStack() {
  const settings = readSettings();
  const loadPackage = packageReader();
  const former = await readFormerOutputs();
  const versions = await readVimVersions(settings, former, askVersion);
  const charts = await renderCharts(wantedCharts(settings, { loadPackage }, versions));
  const plans = planStack(settings, { loadPackage, readProjectFile, charts });
  const ends = credentialEnds(plans, Date.now());
  const faults = [...versionFaults(plans, former), ...ends.faults];
  if (faults.length > 0) throw new SettingsFault(faults);
  for (const warning of ends.warnings) void pulumi.log.warn(printable(warning));
  const renamed = renameWarning(plans, former);
  if (renamed !== undefined) void pulumi.log.warn(printable(renamed));
  const isThere = (instance: string) => own(former, instance) !== undefined;
  const connect = OpenStack.whenNeeded(() => cloudAccess(pulumi.runtime.allConfig()));
  const [vims, offer] = await together([
    readVims(plans),
    readOffer(plans, lookupBy(connect)),
    checkClusterNeeds(plans, isThere, connect),
    checkServerNeeds(plans, connect),
    checkQuota(plans, isThere, connect),
    tellServersInError(plans, connect),
  ]);
  const made = withShortStackTraces(() => makeVnfs(plans, vims, offer));
  return { vnfs: vnfOutputs(made), ...clusterOutputs(made) };
}
