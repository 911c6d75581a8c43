import { checkVersionSteps } from "../../../components/plan/cluster-api/version-steps";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf, webCnf } from "../../support/configs";
import { plannedCluster } from "./planned-cluster";
import { recorded, settingsFault } from "../places";

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

test("a cluster whose floating IP is on its one machine keeps its version", () => {
  const { plans } = plannedCluster(
    { apiServer: { floatingIp: "203.0.113.9", loadBalancer: false } },
    { apiServer: {} },
  );
  const of = (kubernetesVersion: string) =>
    recorded((found) => checkVersionSteps(plans, { tenant: { kubernetesVersion } }, found));
  expect(of("v1.33.0")).toEqual([]);
  expect(of("v1.32.4")).toEqual([
    "vnfm:vnfs.tenant: cannot have Kubernetes v1.33.0 in the place of v1.32.4: the API's floatingIp is on the one machine of the control plane, which Cluster API cannot replace without a loadBalancer; make another cluster with one, or with kubeVip",
  ]);
});

test("faults that are known only during a run are reported with all others", () => {
  const expiresAt = "2027-01-31T00:00:00Z";
  const vnfs = {
    tenant: { ...templateCluster({ vim: "vnf-a" }), credential: { expiresAt } },
    "vnf-a": clusterVnf(1),
    web: webCnf("web", { vim: "none" }),
  };
  const { settings } = parseSettings(vnfs, { kube: clusterTemplate() });
  const former = { tenant: { kubernetesVersion: "v1.34.1", podCidrs: ["10.100.0.0/16"] } };
  const run = { former, now: Date.parse(expiresAt) + 86_400_000 };
  expect(() => planStack(settings, { loadPackage, readProjectFile: () => "", run })).toThrow(
    settingsFault(
      'vnfm:vnfs.web.vim: no VNF of this stack has the name "none"; one of tenant, vnf-a',
      "vnfm:vnfs.tenant: Kubernetes v1.33.0 is older than v1.34.1, which the cluster has, and there is no way back; make another cluster",
      "vnfm:vnfs.tenant: its pods are to be in 10.244.0.0/16, and the cluster has 10.100.0.0/16, which stays with it; write that, or make another cluster",
      `vnfm:vnfs.tenant.credential.expiresAt: ${expiresAt} has ended, and with it what the cluster's controllers do in the cloud; set a later time, which makes another credential`,
    ),
  );
});
