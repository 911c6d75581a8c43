import type { Cluster } from "./cluster";

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly status: {
    readonly containerStatuses: readonly { readonly containerID: string; readonly restartCount: number }[];
  };
}

/**
 * Reads those facts of the cluster `vnf-a` and its CNF that must not change by a rotation, or by a heal of the single
 * control plane.
 */
export async function running(cluster: Cluster) {
  return {
    nodes: await cluster.readyNodes(),
    workerUid: await cluster.kubectl(["get", "node", "vnf-a-workernode-1", "-o", "jsonpath={.metadata.uid}"]),
    pods: (await cluster.list<Pod>("pods", "-n", "web")).map(({ metadata, status }) => [
      metadata.name,
      metadata.uid,
      status.containerStatuses.map(({ containerID, restartCount }) => [containerID, restartCount]),
    ]),
  };
}
