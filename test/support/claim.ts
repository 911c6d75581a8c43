import type { Cluster } from "./cluster";

const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data" },
  spec: {
    accessModes: ["ReadWriteMany"],
    storageClassName: "nfs",
    volumeName: "nfs-pv1",
    resources: { requests: { storage: "1Gi" } },
  },
};

/** Creates the PVC `data`, which binds the first PersistentVolume of a cluster with a storage server. */
export async function bindClaim(cluster: Cluster): Promise<void> {
  await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(claim));
  await cluster.kubectl(["wait", "pvc/data", "--for=jsonpath={.status.phase}=Bound", "--timeout=60s"]);
}
