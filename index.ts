import * as pulumi from "@pulumi/pulumi";
import { SettingsFault, together } from "./components/fault";
import { renderCharts } from "./components/gather/charts";
import { readFormerOutputs } from "./components/gather/former-outputs";
import { readVims } from "./components/gather/other-stacks";
import { readVimVersions } from "./components/gather/vim-versions";
import { askVersion } from "./components/deploy/objects/cluster-version";
import { checkClusterNeeds } from "./components/deploy/openstack/cluster-needs";
import { lookupBy, readOffer } from "./components/deploy/openstack/offer";
import { useProviderRelease } from "./components/deploy/openstack/provider-release";
import { checkQuota } from "./components/deploy/openstack/quota";
import { checkServerNeeds } from "./components/deploy/openstack/server-needs";
import { tellServersInError } from "./components/deploy/openstack/server-errors";
import { clusterOutputs, vnfOutputs } from "./components/deploy/outputs";
import { packageReader } from "./components/gather/packages";
import { readProjectFile } from "./components/gather/project-file";
import { cloudAccess } from "./components/openstack/clouds";
import { OpenStack } from "./components/openstack/session";
import { own } from "./components/own";
import { printable } from "./components/printable.cjs";
import { versionFaults } from "./components/plan/cluster-api/version-steps";
import { readSettings } from "./components/gather/stack-config";
import { credentialEnds } from "./components/plan/credential-end";
import { renameWarning } from "./components/plan/renamed";
import { planStack } from "./components/plan/stack";
import { wantedCharts } from "./components/plan/wanted-charts";
import { makeVnfs } from "./components/deploy/instance";
import { runError } from "./components/deploy/run-error";

// The SDK takes a stack trace for each promise and resource. Taken whole, and looked up in the source maps as ts-node
// does, they are a third of the time of a large preview: so they are short, and looked up of what this program throws.
const lookUp: unknown = Reflect.get(Error, "prepareStackTrace");
Reflect.deleteProperty(Error, "prepareStackTrace");
Error.stackTraceLimit = 2;
// That of a resource it always takes whole, and the engine keeps it in the state, a seventh of which it would be.
Reflect.set(pulumi.Resource, "stackTrace", () => []);

/**
 * The stack's outputs. `vnfs`: state, VNFCs and endpoints of each VNF instance. `vimConnectionInfo` and
 * `kubeconfigs`: each cluster as a VIM in the words of the specification, and its kubeconfig; secrets, by
 * instance.
 */
export = async () => {
  try {
    useProviderRelease();
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
    const made = makeVnfs(plans, vims, offer);
    return { vnfs: vnfOutputs(made), ...clusterOutputs(made) };
  } catch (error) {
    Reflect.set(Error, "prepareStackTrace", lookUp);
    // what is the operator's to mend is shown without a stack trace
    throw runError(error);
  }
};
