import { existsSync, readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import type { KubeadmCluster } from "./components/kubernetes/kubeadm-cluster";
import { clusterOutputs, vnfOutputs } from "./components/outputs";
import { planStack } from "./components/plan/stack";
import { SettingsFault } from "./components/settings/model";
import { readSettings } from "./components/settings/read";
import { loadPackage } from "./components/vnfd/package";
import { Vnf } from "./components/vnf";

const {
  vnfs: made,
  vimConnectionInfo: access,
  kubeconfigs: files,
} = operatorFaults(() => {
  const plans = planStack(readSettings(), {
    loadPackage,
    readProjectFile: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
  });
  const byName: Record<string, Vnf> = {};
  const clusters: Record<string, KubeadmCluster> = {};
  for (const plan of plans) {
    const vnf = new Vnf({ plan, clusters });
    byName[plan.name] = vnf;
    if (vnf.cluster !== undefined) clusters[plan.name] = vnf.cluster;
  }
  return { vnfs: vnfOutputs(byName), ...clusterOutputs(byName) };
});

/** State, VNFCs and endpoints of each VNF instance. */
export const vnfs = made;
/** Each cluster as a VIM, in the words of the specification; secret. */
export const vimConnectionInfo = access;
/** A kubeconfig of each cluster; secret. */
export const kubeconfigs = files;

/** What is the operator's to mend is shown without a stack trace. */
function operatorFaults<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof SettingsFault ? new pulumi.RunError(error.message) : error;
  }
}
