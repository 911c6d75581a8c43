import { checkClusterNetworks } from "../../../components/plan/cluster-api/cluster-network";
import { recorded } from "../places";
import { plannedCluster } from "./planned-cluster";

const faults = (former: object | undefined, network: object) =>
  recorded((found) =>
    checkClusterNetworks(
      plannedCluster({ network }).plans,
      former === undefined ? {} : { tenant: former },
      found,
    ),
  );

const [PODS, SERVICES] = [["10.244.0.0/16"], ["10.96.0.0/12"]];

test.each([
  ["a cluster that is not there yet", undefined],
  ["one whose blocks nobody knows", { kubernetesVersion: "v1.33.0" }],
  ["one with the same blocks", { podCidrs: PODS, serviceCidrs: SERVICES }],
])("%s may have any blocks", (_, former) => {
  expect(faults(former, {})).toEqual([]);
});

test("other blocks than a cluster has are refused", () => {
  const wanted = { podCidr: "10.100.0.0/16", serviceCidr: "10.200.0.0/16" };
  expect(faults({ podCidrs: PODS, serviceCidrs: SERVICES }, wanted)).toEqual([
    "vnfm:vnfs.tenant: its pods would be in 10.100.0.0/16, but the cluster has 10.244.0.0/16, which cannot change; write that, or create another cluster",
    "vnfm:vnfs.tenant: its Services would be in 10.200.0.0/16, but the cluster has 10.96.0.0/12, which cannot change; write that, or create another cluster",
  ]);
});
