/** The server and the directory of the snapshots of etcd. */
import type { ClusterPlan } from "../../../components/plan/kubeadm/model";
import { snapshotPlace } from "../../../components/plan/kubeadm/snapshot-place";

/** @param exports exported directories of a storage server with volumes at /a and /b */
const placeWith = (...exports: readonly string[]) =>
  snapshotPlace({
    api: { kind: "haproxy" },
    storage: {
      mounts: ["/a", "/b"].map((mountTo) => ({ mountTo })),
      exports: exports.map((directory) => ({ directory })),
    },
  } as unknown as ClusterPlan);

it.each([
  ["the first volume", [], "/a"],
  ["a volume without exports, before one with some", ["/a/web"], "/b"],
  ["a volume with some exports, where the other one is exported whole", ["/a/web", "/b"], "/a"],
  ["a volume with a name like the beginning of an exported one", ["/ab/web", "/b/web"], "/a"],
])("is %s", (_, exports, directory) => {
  expect(placeWith(...exports)).toEqual({ kind: "storage", directory });
});

it("is the first worker, where each volume is exported whole", () => {
  expect(placeWith("/a", "/b")).toEqual({ kind: "worker" });
});
