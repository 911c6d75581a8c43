import { checkVersionSteps } from "../../../components/plan/cluster-api/version-steps";
import { plannedCluster } from "./planned-cluster";
import { recorded } from "../places";

const faults = (former: string | undefined, wanted: string) =>
  recorded((found) =>
    checkVersionSteps(
      plannedCluster({ kubernetesVersion: wanted }).plans,
      former === undefined ? {} : { tenant: { kubernetesVersion: former } },
      found,
    ),
  );

test.each([
  [undefined, "v1.33.0"],
  ["v1.33.0", "v1.33.0"],
  ["v1.33.4", "v1.33.0"],
  ["v1.32.9", "v1.33.0"],
])("a cluster of %s may get %s", (former, wanted) => {
  expect(faults(former, wanted)).toEqual([]);
});

test("a version over one minor version, or before the present one, is refused with the way out", () => {
  expect(faults("v1.31.2", "v1.33.0")).toEqual([
    "vnfm:vnfs.tenant: Kubernetes v1.33.0 is more than one minor version after v1.31.2, which the cluster has; go to v1.32 first",
  ]);
  expect(faults("v1.34.1", "v1.33.0")).toEqual([
    "vnfm:vnfs.tenant: Kubernetes v1.33.0 is older than v1.34.1, which the cluster has, and there is no way back; make another cluster",
  ]);
});
