import * as pulumi from "@pulumi/pulumi";
import { makeVnfs } from "./components/deploy/instance";
import { byProviderRelease } from "./components/deploy/openstack/provider-release";
import { clusterOutputs, vnfOutputs } from "./components/deploy/outputs";
import { runError } from "./components/deploy/run-error";
import { readFormerOutputs } from "./components/gather/former-outputs";
import { packageReader } from "./components/gather/packages";
import { readSettings } from "./components/gather/stack-config";
import { cloudOf } from "./components/program/clouds";
import { planRun } from "./components/program/plan-run";
import { preflight } from "./components/program/preflight";

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
    pulumi.runtime.registerStackTransformation(byProviderRelease);
    const settings = readSettings();
    const former = await readFormerOutputs();
    const plans = await planRun(settings, former, { loadPackage: packageReader() });
    const found = await preflight(plans, former, await cloudOf());
    const made = makeVnfs(plans, found);
    return { vnfs: vnfOutputs(made), ...clusterOutputs(made) };
  } catch (error) {
    Reflect.set(Error, "prepareStackTrace", lookUp);
    // what is the operator's to mend is shown without a stack trace
    throw runError(error);
  }
};
