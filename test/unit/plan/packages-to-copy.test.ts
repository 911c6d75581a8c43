/** Packages that one's own begins as: what is planned of them as they are. */
import { filesOf } from "../../../components/gather/project-files";
import { nodePools } from "../../../components/plan/kubeadm/pools";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { GPU_POOL, POOLS_PACKAGE, poolsVnf } from "../../support/configs";

/** The one instance of a stack on a cluster, as it is planned. */
function planned(vnfs: object) {
  const { settings } = parseSettings({ cluster: poolsVnf(POOLS_PACKAGE, 2, 1), ...vnfs });
  return planStack(settings, filesOf("")).map((plan) =>
    plan.kind === "kubeadm"
      ? nodePools(plan.cluster).map(({ role, labels, servers }) => [
          role,
          servers.map(({ key }) => key),
          labels,
        ])
      : plan.kind === "cnf" && plan.cnf.objects.map(({ key }) => key),
  );
}

test("the cluster with a second pool has nodes in each, and the CNI of the cluster package", () => {
  expect(planned({})).toEqual([
    [
      ["master", ["masterNode-1"], undefined],
      ["worker", ["workerNode-1", "workerNode-2"], undefined],
      ["worker", ["gpuNode-1"], GPU_POOL.labels],
    ],
  ]);
});

test("the smallest CNF has the objects of its manifests, without VDUs", () => {
  const additionalParams = { "lcm-kubernetes-def-files": ["Files/kubernetes/hello.yaml"] };
  const hello = { package: "vnf-packages/smallest-cnf", vim: "cluster", additionalParams };
  expect(planned({ hello })[1]).toEqual(["hello-service-default/hello", "hello-deployment-default/hello"]);
});
