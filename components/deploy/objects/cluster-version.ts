import { setTimeout } from "node:timers/promises";
import { apiAccess } from "../../kube/api-access";
import { at, text } from "../../kube/object";
import { KubeApi } from "./scripts/kube-api.cjs";

/** How long a cluster may take to say its version, in milliseconds: a preview goes on without it. */
const PATIENCE_MS = 10_000;

/**
 * The version of Kubernetes that a cluster says it has, such as `v1.33.0` or `v1.33.0-eks-1a2b3c`: as Helm gets it when
 * it installs a chart there. Undefined where the cluster does not answer, or with no version.
 */
export async function askVersion(kubeconfig: string): Promise<string | undefined> {
  const answer = new KubeApi(apiAccess(kubeconfig)).get("/version").catch(() => undefined);
  const version: unknown = await Promise.race([answer, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
  return /^v1\.\d+\.\d+[-+.\w]*$/.exec(text(at(version, "gitVersion")) ?? "")?.[0];
}
