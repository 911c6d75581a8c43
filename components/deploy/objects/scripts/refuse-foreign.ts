/** Fails where definitions and Namespaces that go have objects of others. */
import { Missing, untilDone } from "../../../base/until";
import { foreignObjects, type Holders, type Own } from "../../../kube/client/foreign-objects";
import { isPassing, KubeApi, Unreachable, type Access } from "../../../kube/client/kube-api";

/** How long the cluster may be out of reach. */
const PATIENCE = { seconds: 30, pauseMs: 2000, passes: isPassing };

export async function refuseForeign(access: Access, holders: Holders, own: Own) {
  const ask = () =>
    foreignObjects(new KubeApi(access), holders, own).catch((error) => {
      // as the Kubernetes plugin is told that the cluster is gone
      if (error instanceof Unreachable && process.env["PULUMI_K8S_DELETE_UNREACHABLE"] === "true") return [];
      throw error;
    });
  const found = await untilDone(ask, PATIENCE);
  if (found instanceof Missing) throw new Error(found.text);
  if (found.length > 0) throw new Error(found.join("\n"));
}
