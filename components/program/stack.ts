import { makeVnfs } from "../deploy/instance";
import { clusterOutputs, vnfOutputs } from "../deploy/outputs";
import { runError, showError } from "../deploy/run-error";
import { withShortStackTraces } from "../deploy/stack-traces";
import { readFormerOutputs } from "../gather/former-outputs";
import { filesOf } from "../gather/project-files";
import { readSettings } from "../gather/stack-config";
import { Clouds } from "./clouds";
import { preflightByCloud } from "./preflight-by-cloud";
import { Planner } from "./planner";
import { checkForeignObjects } from "../preflight/foreign-objects";
import { warnOfVolumesInUse } from "../preflight/volumes-in-use";
import { VNFM_VERSION } from "../base/state-version";
import { together } from "../base/settings-fault";
import { mustFinish } from "../base/unfinished";

/**
 * Creates a whole stack, as declared in `vnfm:vnfs` of the stack config. Files are read from the project's folder. Must
 * be called once in a program.
 * @returns the stack's outputs. `vnfmVersion`: version of this package, which an older one refuses. `vnfs`: state, VNFCs
 * and endpoints of each VNF instance. `vimConnectionInfo` and `kubeconfigs`: each cluster as a VIM in the form of the
 * specification, and its kubeconfig; secrets, by instance.
 * @throws pulumi.RunError for errors that the operator can fix
 */
export function stack() {
  return mustFinish("the VNF instances of the stack", declareInstances(), showError);
}

async function declareInstances() {
  try {
    const settings = readSettings();
    const former = await readFormerOutputs();
    const plans = await new Planner(filesOf(""), former).plan(settings);
    const clouds = new Clouds();
    const [checked] = await together([
      preflightByCloud(plans, former, (plan) => clouds.of(plan)),
      warnOfVolumesInUse(plans, former, async (instance) => (await clouds.of(instance)).connect()),
      checkForeignObjects(plans, former),
    ]);
    const made = withShortStackTraces(() => makeVnfs(plans, (plan) => checked.get(plan)));
    return { vnfmVersion: VNFM_VERSION, vnfs: vnfOutputs(made), ...clusterOutputs(made) };
  } catch (error) {
    // errors that the operator can fix have no stack trace
    throw runError(error);
  }
}
