import * as pulumi from "@pulumi/pulumi";
import { readVims } from "./components/other-stacks";
import { useProviderRelease } from "./components/openstack/provider-release";
import { clusterOutputs, vnfOutputs } from "./components/outputs";
import { readProjectFile } from "./components/plan/project-file";
import { planStack } from "./components/plan/stack";
import { SettingsFault } from "./components/settings/model";
import { readSettings } from "./components/settings/read";
import { makeVnfs } from "./components/vnf";
import { loadPackage } from "./components/vnfd/package";

// the SDK writes down a stack for each promise, and looks up each line of it: with all lines a sixth of a preview's time
Error.stackTraceLimit = 2;

/**
 * The stack's outputs. `vnfs`: state, VNFCs and endpoints of each VNF instance. `vimConnectionInfo` and
 * `kubeconfigs`: each cluster as a VIM in the words of the specification, and its kubeconfig; secrets, by
 * instance.
 */
export = async () => {
  try {
    useProviderRelease();
    const plans = planStack(readSettings(), { loadPackage, readProjectFile });
    const made = makeVnfs(plans, await readVims(plans));
    return { vnfs: vnfOutputs(made), ...clusterOutputs(made) };
  } catch (error) {
    // what is the operator's to mend is shown without a stack trace
    throw error instanceof SettingsFault ? new pulumi.RunError(error.message) : error;
  }
};
