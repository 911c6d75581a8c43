import { shown } from "../../../components/kube/objects/object";
import { withServers, workloads } from "../../../components/plan/model";
import { planStack } from "../../../components/plan/stack";
import { requiredCharts } from "../../../components/plan/required-charts";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterVnf, haClusterVnf, kubeadmCluster, webCnf } from "../../support/configs";

const chart = { repository: "https://charts.example", version: "2.34.0", digest: "0".repeat(64) };
const CCM = "openstack-cloud-controller-manager";
const CSI = "openstack-cinder-csi";

const installation = (changes: object = {}) => ({
  cloud_provider: "openstack",
  addons: { [CCM]: chart, [CSI]: chart },
  ...changes,
});

const settingsOf = (vnfA: object, others: object = {}) =>
  parseSettings({ "vnf-a": vnfA, ...others }).settings;

function planned(vnfA: object, others: object = {}) {
  const plans = planStack(settingsOf(vnfA, others), { loadPackage, readProjectFile: () => "" });
  const [cluster] = withServers(plans);
  const addon = (name: string) => workloads(plans).find((plan) => plan.name === `vnf-a-${name}`);
  return { plans, cluster, addon };
}

const tenantNetwork = (router: unknown, ofMaster: object = {}) => ({
  ...clusterVnf(1, { ...installation(), jump_host: { vnfc: "masterNode-1" } }),
  virtualLinks: { nodes: { subnets: [{ cidr: "10.30.0.0/24" }], router } },
  extVirtualLinks: {
    masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "floating", ...ofMaster },
    workerNode_CP2: { virtualLink: "nodes" },
  },
});

test("a cluster with a cloud provider has a credential, and its addons are instances on it with cloud.conf", () => {
  const { plans, cluster, addon } = planned(clusterVnf(1, installation()));
  expect(plans.map(({ name }) => name)).toEqual(["vnf-a", `vnf-a-${CCM}`, `vnf-a-${CSI}`]);
  expect(cluster).toMatchObject({ credential: {}, cluster: { hasCloudProvider: true } });
  const controller = addon(CCM);
  expect(controller).toMatchObject({ on: { kind: "vnf", vnf: "vnf-a" }, readyTimeout: "10m" });
  expect(controller?.cnf.objects.map(({ object }) => shown(object))).toEqual([
    `Secret kube-system/${CCM}-cloud-config`,
  ]);
  expect(controller?.cloudSecrets).toEqual([
    {
      key: `vnf-a-${CCM}-secret-kube-system/${CCM}-cloud-config`,
      credentialOf: "vnf-a",
      form: "cloud.conf",
      mark: expect.stringMatching(/^vnfm-attribute-[0-9a-f]{16}$/) as string,
    },
  ]);
  // a name of its own in the cloud, where other stacks may have a cluster of this one's
  const [[mark, name] = []] = Object.entries(controller?.uniqueNames ?? {});
  expect([name, controller?.cnf.releases[0]?.values["cluster"]]).toEqual(["vnf-a", { name: mark }]);
  expect(addon(CSI)).not.toHaveProperty("uniqueNames");
});

test("Cinder's CSI driver alone is told of zones", () => {
  const block_storage = { "ignore-volume-az": true };
  const [before, after] = [{}, { block_storage }].map((changes) =>
    planned(clusterVnf(1, installation(changes))),
  );
  expect(after?.addon(CSI)?.cloudSecrets).toMatchObject([{ blockStorage: { "ignore-volume-az": true } }]);
  expect(after?.addon(CCM)?.cloudSecrets?.[0]).not.toHaveProperty("blockStorage");
  expect(before?.addon(CSI)?.cloudSecrets?.[0]).not.toHaveProperty("blockStorage");
});

test("pods of an addon have a digest of its cloud.conf, by which another one restarts them", () => {
  const { addon } = planned(clusterVnf(1, installation()));
  const values = (name: string) => addon(name)?.cnf.releases[0]?.values;
  const annotations = (name: string) => ({ "vnfm.io/cloud-config": addon(name)?.cloudSecrets?.[0]?.mark });
  expect(values(CCM)).toMatchObject({ podAnnotations: annotations(CCM) });
  expect(values(CSI)).toMatchObject({
    csi: {
      plugin: {
        controllerPlugin: { podAnnotations: annotations(CSI) },
        nodePlugin: { podAnnotations: annotations(CSI) },
      },
    },
  });
  expect(annotations(CCM)).not.toEqual(annotations(CSI));
});

test("a cluster without one has none of that", () => {
  const { plans, cluster } = planned(clusterVnf(1));
  expect(plans).toHaveLength(1);
  expect(cluster).toMatchObject({ credential: undefined, cluster: { hasCloudProvider: false } });
});

test("all CNFs come after the cloud controller manager: nodes take no pods without it", () => {
  const { plans } = planned(clusterVnf(1, installation()), { web: webCnf("web") });
  expect(workloads(plans).map(({ name, after }) => [name, after])).toEqual([
    [`vnf-a-${CCM}`, []],
    [`vnf-a-${CSI}`, [`vnf-a-${CCM}`]],
    ["web", [`vnf-a-${CCM}`]],
  ]);
});

test.each<[string, object, string | undefined]>([
  ["where the router of the workers leads", tenantNetwork({ externalNetwork: "public" }), "public"],
  ["where the master's floating IP is", tenantNetwork("site-router"), "floating"],
  ["the only one", clusterVnf(1, installation()), undefined],
])("floating IPs of Services are of the external network: %s", (_, vnfA, externalNetwork) => {
  expect(planned(vnfA).addon(CCM)?.cloudSecrets?.[0]?.externalNetwork).toBe(externalNetwork);
});

test("or where the floating IP of the API of several masters is", () => {
  const vnf = haClusterVnf(3, 1, {
    virtualLinks: { nodes: { subnets: [{ cidr: "10.30.0.0/24" }], router: "site-router" } },
    extVirtualLinks: {
      masterNode_CP1: { virtualLink: "nodes" },
      workerNode_CP2: { virtualLink: "nodes", floatingNetwork: undefined },
      vip_CP: { virtualLink: "nodes", floatingNetwork: "floating" },
    },
    additionalParams: kubeadmCluster({
      ...installation(),
      jump_host: {
        host: "192.0.2.1",
        host_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7Yp1Zb0Qd0Xw8m1oXnqk5sWn0aT0q3m5o0mJc5d1xY",
      },
    }),
  });
  expect(planned(vnf).addon(CCM)?.cloudSecrets?.[0]?.externalNetwork).toBe("floating");
});

test("balancers of Services are of the provider that load_balancer names, with a single master too", () => {
  const { addon } = planned(clusterVnf(1, installation({ load_balancer: { provider: "ovn" } })));
  expect(addon(CCM)?.cloudSecrets?.[0]?.balancerProvider).toBe("ovn");
});

test("the credential has the roles, the end, the requests and the token that the settings say", () => {
  const asked = {
    roles: ["member"],
    expiresAt: "2027-01-31T00:00:00Z",
    accessRules: [{ service: "network", method: "GET", path: "/v2.0/**" }],
  };
  const vnf = clusterVnf(1, installation({ credential: asked }));
  const { cluster } = planned({ ...vnf, rotate: { credential: "second" } });
  expect(cluster).toMatchObject({ credential: { ...asked, rotate: "second" } });
});

test("the charts are wanted for the version of the cluster", () => {
  const charts = (changes: object) =>
    requiredCharts(settingsOf(clusterVnf(1, installation(changes))), { loadPackage }).map(
      ({ instance, request, version }) => [instance, request.place.text, version],
    );
  const path = "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.addons";
  expect(charts({ kubernetes_version: "v1.33.0" })).toEqual([
    [`vnf-a-${CCM}`, `${path}.${CCM}`, "v1.33.0"],
    [`vnf-a-${CSI}`, `${path}.${CSI}`, "v1.33.0"],
  ]);
  expect(charts({})[0]).toContain("v1.34.0");
});
