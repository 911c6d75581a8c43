import * as pulumi from "@pulumi/pulumi";
import { clusterOutputs, vnfOutputs } from "./components/outputs";
import type { VnfPlan } from "./components/plan/model";
import { readProjectFile } from "./components/plan/project-file";
import { planStack } from "./components/plan/stack";
import { SettingsFault } from "./components/settings/model";
import { readSettings } from "./components/settings/read";
import { makeVnfs } from "./components/vnf";
import { loadPackage } from "./components/vnfd/package";

const made = makeVnfs(plan());

/** State, VNFCs and endpoints of each VNF instance. */
export const vnfs = vnfOutputs(made);

/** Each cluster as a VIM in the words of the specification, and its kubeconfig; secrets, by instance. */
export const { vimConnectionInfo, kubeconfigs } = clusterOutputs(made);

function plan(): VnfPlan[] {
  try {
    return planStack(readSettings(), { loadPackage, readProjectFile });
  } catch (error) {
    // what is the operator's to mend is shown without a stack trace
    throw error instanceof SettingsFault ? new pulumi.RunError(error.message) : error;
  }
}
