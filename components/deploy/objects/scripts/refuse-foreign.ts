/** Fails if CRDs and Namespaces that will be deleted contain objects that the stack did not create. */
import { Missing, untilDone } from "../../../base/until";
import { foreignObjects, type Holders, type Own } from "../../../kube/client/foreign-objects";
import { isPassing, KubeApi, Unreachable, type Access } from "../../../kube/client/kube-api";

/** Time limit for a cluster that is unreachable. */
const PATIENCE = { seconds: 30, pauseMs: 2000, passes: isPassing };

export async function refuseForeign(access: Access, holders: Holders, own: Own) {
  const ask = () =>
    foreignObjects(new KubeApi(access), holders, own).catch((error) => {
      // the same setting has the Kubernetes provider treat the cluster as deleted
      if (error instanceof Unreachable && process.env["PULUMI_K8S_DELETE_UNREACHABLE"] === "true") return [];
      throw error;
    });
  const found = await untilDone(ask, PATIENCE);
  if (found instanceof Missing) throw new Error(found.text);
  if (found.length > 0) throw new Error(found.join("\n"));
}
