import { parseSettings } from "../../../components/settings/parse";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";

const parsed = (cluster: object, template: object = {}) =>
  parseSettings(
    { tenant: { ...templateCluster(), ...cluster } },
    { kube: { ...clusterTemplate(), ...template } },
  ).settings;

test("a cluster has the settings of its template, its own over them, and defaults", () => {
  const { faults, clusters } = parsed(
    {
      nodeGroups: {
        default: { replicas: 0 },
        batch: { replicas: 2, flavor: "m1.large", labels: { a: "b" } },
      },
      network: { podCidr: "10.250.0.0/16" },
      addons: { flannel: false },
    },
    {
      nodeGroup: { flavor: "m1.tiny", labels: { c: "d" } },
      nodeGroups: { default: { replicas: 3 } },
      addons: { flannel: { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) } },
    },
  );
  expect(faults).toEqual([]);
  expect(clusters["tenant"]).toMatchObject({
    vim: "management",
    controlPlane: { flavor: "m1.small", replicas: 1 },
    nodeGroups: {
      default: { replicas: 0, flavor: "m1.tiny", labels: { c: "d" } },
      batch: { replicas: 2, flavor: "m1.large", labels: { a: "b", c: "d" } },
    },
    network: { externalNetwork: "public", nodeCidr: "10.6.0.0/24", podCidr: "10.250.0.0/16" },
    addons: {},
    readyTimeout: "30m",
  });
});

test("a receiver's certificate has several lines, and its headers are secrets", () => {
  const ca = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  const url = "https://receiver.example";
  const { faults, clusters } = parsed({
    credentialsReceiver: { url, ca, headers: { authorization: "hidden" } },
  });
  expect(faults).toEqual([]);
  expect(clusters["tenant"]?.credentialsReceiver).toMatchObject({ url, ca });
  expect(JSON.stringify(clusters)).not.toContain("hidden");
});

test.each<[string, object, object, string[]]>([
  [
    "a template that is not there",
    { clusterTemplate: "kubes" },
    {},
    [
      'vnfm:vnfs.tenant.clusterTemplate: "kubes" is no template of vnfm:clusterTemplates; one of kube; did you mean "kube"?',
    ],
  ],
  [
    "an even control plane",
    { controlPlane: { replicas: 2 } },
    {},
    ["vnfm:vnfs.tenant.controlPlane.replicas: 2 is not one of 1, 3, 5, 7"],
  ],
  [
    "a group without what it needs",
    { nodeGroups: { batch: {} } },
    { nodeGroup: {} },
    [
      "vnfm:vnfs.tenant.nodeGroups.batch.replicas: is required, there or under nodeGroup",
      "vnfm:vnfs.tenant.nodeGroups.batch.flavor: is required, there or under nodeGroup",
    ],
  ],
  [
    "networks that overlap",
    { network: { nodeCidr: "10.244.8.0/24" } },
    {},
    [
      "vnfm:vnfs.tenant.network.podCidr: 10.244.0.0/16 overlaps nodeCidr 10.244.8.0/24; give one of them another",
    ],
  ],
  [
    "lists of addresses where there are none",
    { apiServer: { loadBalancerProvider: "ovn", allowedCidrs: ["192.0.2.0/24"] } },
    {},
    [
      "vnfm:vnfs.tenant.apiServer.allowedCidrs: Octavia's provider ovn has no such lists; leave them out, or use amphora",
    ],
  ],
  [
    "settings of another name",
    { package: "vnf-packages/web-cnf" },
    { nodegroups: {} },
    [
      expect.stringContaining("vnfm:vnfs.tenant.nodegroups: unknown setting; did you mean"),
      expect.stringContaining("vnfm:vnfs.tenant.package: unknown setting; known are clusterTemplate, vim"),
    ],
  ],
])("%s is a fault", (_, cluster, template, expected) => {
  const { faults, clusters, refused } = parsed(cluster, template);
  expect(faults).toEqual(expected);
  expect(clusters).toEqual({});
  expect(refused).toEqual(["tenant"]);
});
