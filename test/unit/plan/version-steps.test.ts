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
    "vnfm:vnfs.tenant: Kubernetes v1.33.0 is more than one minor version after v1.31.2, the version of the cluster; upgrade to v1.32 first",
  ]);
  expect(faults("v1.34.1", "v1.33.0")).toEqual([
    "vnfm:vnfs.tenant: Kubernetes v1.33.0 is older than v1.34.1, the version of the cluster, and downgrades are not possible; create another cluster",
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
    "vnfm:vnfs.tenant: cannot change to Kubernetes v1.33.0 from v1.32.4: the API's floatingIp is on the only machine of the control plane, which Cluster API cannot replace without a loadBalancer; create another cluster with one, or with kubeVip",
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
      'vnfm:vnfs.web.vim: this stack has no instance "none"; one of tenant, vnf-a',
      "vnfm:vnfs.tenant: Kubernetes v1.33.0 is older than v1.34.1, the version of the cluster, and downgrades are not possible; create another cluster",
      "vnfm:vnfs.tenant: its pods would be in 10.244.0.0/16, but the cluster has 10.100.0.0/16, which cannot change; write that, or create another cluster",
      `vnfm:vnfs.tenant.credential.expiresAt: ${expiresAt} has ended, and the cluster's controllers then lose access to the cloud; set a later time, which creates another credential`,
    ),
  );
});
