import { at, shown, type KubeObject } from "../../../components/kube/objects/object";
import { SettingsFault } from "../../../components/base/settings-fault";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { flavour, vnfPackage } from "../fixtures";
import { plannedCluster } from "./planned-cluster";

const GROUPS = { a: { replicas: 1 }, b: { replicas: 1 } };

const planned = (patches: object[] = [], cluster: object = {}) =>
  plannedCluster({ nodeGroups: GROUPS, ...cluster, patches });

const faultsOf = (patches: object[], cluster: object = {}): string[] => {
  try {
    planned(patches, cluster);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    return error.findings.map(({ place, message }) => `${place.slice(2).join(".")}: ${message}`);
  }
};

/** The names of the objects that only one of two plans has, without their hashes. */
const others = (one: readonly KubeObject[], other: readonly KubeObject[]) => {
  const names = new Set(other.map(shown));
  return one.map(shown).flatMap((name) => (names.has(name) ? [] : [name.replace(/-[0-9a-f]{8}$/, "-HASH")]));
};

const contentOf = (objects: readonly KubeObject[], start: string) =>
  objects.find((object) => shown(object).startsWith(start));

test("a merge patch adds, replaces and takes out, in all objects of a kind", () => {
  const before = planned().objects;
  const after = planned([
    {
      target: { kind: "MachineHealthCheck" },
      mergePatch: {
        metadata: { annotations: { "example.org/owner": "a" } },
        spec: { checks: { nodeStartupTimeoutSeconds: null, unhealthyNodeConditions: [] } },
      },
    },
  ]).objects;
  const checks = (objects: readonly KubeObject[]) =>
    objects.filter(({ kind }) => kind === "MachineHealthCheck");
  expect(checks(after)).toEqual(
    checks(before).map(({ metadata, ...check }) => ({
      ...check,
      metadata: { ...metadata, annotations: { "example.org/owner": "a" } },
      spec: { ...(check["spec"] as object), checks: { unhealthyNodeConditions: [] } },
    })),
  );
  expect(checks(after)).toHaveLength(3);
  expect(after.filter((one) => !checks(after).includes(one))).toEqual(
    before.filter((one) => !checks(before).includes(one)),
  );
});

test("a patch of a group's template makes another template, and its machines follow, of that group alone", () => {
  const before = planned().objects;
  const after = planned([
    {
      target: { kind: "OpenStackMachineTemplate", machines: "b" },
      jsonPatch: [
        { op: "test", path: "/spec/template/spec/flavor", value: "m1.small" },
        { op: "add", path: "/spec/template/spec/securityGroups", value: [] },
        { op: "add", path: "/spec/template/spec/securityGroups/-", value: { filter: { name: "site" } } },
      ],
    },
  ]).objects;
  expect(others(after, before)).toEqual(["OpenStackMachineTemplate tenant/tenant-b-HASH"]);
  const template = contentOf(after, "OpenStackMachineTemplate tenant/tenant-b");
  expect(at(template, "spec", "template", "spec", "securityGroups")).toEqual([{ filter: { name: "site" } }]);
  const reference = at(
    contentOf(after, "MachineDeployment tenant/tenant-b"),
    ...["spec", "template", "spec", "infrastructureRef"],
  );
  expect(reference).toEqual({
    apiGroup: "infrastructure.cluster.x-k8s.io",
    kind: "OpenStackMachineTemplate",
    name: template?.metadata.name,
  });
});

test("a patch that changes nothing makes no other template", () => {
  const target = { kind: "OpenStackMachineTemplate", machines: "a" };
  const { objects } = planned([
    { target, mergePatch: { spec: { template: { spec: { flavor: "m1.small" } } } } },
    { target, jsonPatch: [{ op: "add", path: "/spec/template/spec/flavor", value: "m1.small" }] },
  ]);
  expect(objects).toEqual(planned().objects);
});

test("additions of patches beside the spec of a template are part of its content", () => {
  const of = (label: string) =>
    planned([
      {
        target: { kind: "KubeadmConfigTemplate", machines: "a" },
        mergePatch: { spec: { template: { metadata: { labels: { label } } } } },
      },
    ]).objects;
  expect(others(of("one"), of("two"))).toEqual(["KubeadmConfigTemplate tenant/tenant-a-HASH"]);
});

test("the control plane's template has another name for another content, which the control plane follows", () => {
  const { objects } = planned([
    {
      target: { kind: "OpenStackMachineTemplate", machines: "controlPlane" },
      mergePatch: { spec: { template: { spec: { trunk: true } } } },
    },
  ]);
  expect(others(objects, planned().objects)).toEqual([
    "OpenStackMachineTemplate tenant/tenant-control-plane-HASH",
  ]);
  expect(
    at(
      contentOf(objects, "KubeadmControlPlane"),
      ...["spec", "machineTemplate", "spec", "infrastructureRef", "name"],
    ),
  ).toBe(contentOf(objects, "OpenStackMachineTemplate tenant/tenant-control-plane")?.metadata.name);
});

test("patches are applied one after the other", () => {
  const target = { kind: "OpenStackCluster" };
  const { objects } = planned([
    { target, mergePatch: { spec: { tags: ["one"] } } },
    { target, jsonPatch: [{ op: "add", path: "/spec/tags/0", value: "two" }] },
    { target, jsonPatch: [{ op: "copy", from: "/spec/tags/1", path: "/spec/tags/-" }] },
  ]);
  expect(at(contentOf(objects, "OpenStackCluster"), "spec", "tags")).toEqual(["two", "one", "one"]);
});

test("a list of patches takes the place of that of the template", () => {
  const patch = (tag: string) => ({
    target: { kind: "OpenStackCluster" },
    mergePatch: { spec: { [tag]: 1 } },
  });
  const { objects } = plannedCluster({ patches: [patch("own")] }, { patches: [patch("common")] });
  const spec = at(contentOf(objects, "OpenStackCluster"), "spec") as object;
  expect(Object.keys(spec)).toContain("own");
  expect(Object.keys(spec)).not.toContain("common");
});

test.each<[string, object, string]>([
  [
    "a group that is not there",
    { target: { kind: "MachineDeployment", machines: "c" }, mergePatch: { spec: {} } },
    'patches.0.target.machines: "c" has no MachineDeployment; one of a, b',
  ],
  [
    "the control plane, which has no such object",
    { target: { kind: "MachineDeployment", machines: "controlPlane" }, mergePatch: { spec: {} } },
    'patches.0.target.machines: "controlPlane" has no MachineDeployment; one of a, b',
  ],
  [
    "machines of what is of the whole cluster",
    { target: { kind: "OpenStackCluster", machines: "a" }, mergePatch: { spec: {} } },
    "patches.0.target.machines: the OpenStackCluster belongs to the whole cluster; remove this",
  ],
  [
    "a path that is not there",
    {
      target: { kind: "OpenStackMachineTemplate", machines: "a" },
      jsonPatch: [
        { op: "add", path: "/spec/template/spec/tags", value: [] },
        { op: "replace", path: "/spec/template/spec/flavour", value: "m1.large" },
      ],
    },
    'patches.0.jsonPatch.1.path: "/spec/template/spec/flavour" is not in OpenStackMachineTemplate tenant/tenant-a; /spec/template/spec has flavor, image, tags; did you mean "flavor"?',
  ],
  [
    "a path below a text",
    {
      target: { kind: "OpenStackMachineTemplate", machines: "a" },
      jsonPatch: [{ op: "add", path: "/spec/template/spec/flavor/name", value: "m1.large" }],
    },
    'patches.0.jsonPatch.0.path: "/spec/template/spec/flavor/name" is not in OpenStackMachineTemplate tenant/tenant-a; /spec/template/spec/flavor is "m1.small"',
  ],
  [
    "an item that a list has not",
    {
      target: { kind: "Cluster" },
      jsonPatch: [{ op: "remove", path: "/spec/clusterNetwork/pods/cidrBlocks/1" }],
    },
    'patches.0.jsonPatch.0.path: "/spec/clusterNetwork/pods/cidrBlocks/1" is not in Cluster tenant/tenant; /spec/clusterNetwork/pods/cidrBlocks is a list of 1',
  ],
  [
    "a source that is not there",
    { target: { kind: "Cluster" }, jsonPatch: [{ op: "move", from: "/specs", path: "/spec/paused" }] },
    'patches.0.jsonPatch.0.from: "/specs" is not in Cluster tenant/tenant; it has apiVersion, kind, metadata, spec; did you mean "spec"?',
  ],
  [
    "a key that would be that of every object",
    { target: { kind: "Cluster" }, jsonPatch: [{ op: "add", path: "/__proto__/a", value: 1 }] },
    'patches.0.jsonPatch.0.path: "/__proto__/a" is not in Cluster tenant/tenant; it has apiVersion, kind, metadata, spec',
  ],
  [
    "a test that fails",
    {
      target: { kind: "OpenStackMachineTemplate", machines: "a" },
      jsonPatch: [{ op: "test", path: "/spec/template/spec/flavor", value: "m1.large" }],
    },
    'patches.0.jsonPatch.0.value: "m1.large" is not what OpenStackMachineTemplate tenant/tenant-a has at /spec/template/spec/flavor: "m1.small"',
  ],
  [
    "another name",
    { target: { kind: "Cluster" }, mergePatch: { metadata: { name: "other" } } },
    "patches.0.mergePatch: changes metadata.name of Cluster tenant/tenant, by which vnfm identifies it; do not change that",
  ],
  [
    "another reference",
    {
      target: { kind: "MachineDeployment", machines: "a" },
      jsonPatch: [{ op: "replace", path: "/spec/template/spec/infrastructureRef", value: { name: "other" } }],
    },
    "patches.0.jsonPatch: changes spec.template.spec.infrastructureRef of MachineDeployment tenant/tenant-a, by which the objects of the cluster refer to each other; do not change that",
  ],
  [
    "what a setting says",
    { target: { kind: "KubeadmControlPlane" }, mergePatch: { spec: { replicas: 3 } } },
    "patches.0.mergePatch: changes spec.replicas of KubeadmControlPlane tenant/tenant, which controlPlane.replicas sets; change that instead",
  ],
])("%s is a fault", (_, patch, fault) => {
  expect(faultsOf([patch])).toEqual([fault]);
});

test("a patch of metadata as a whole is a fault for all that it takes out", () => {
  expect(faultsOf([{ target: { kind: "Cluster" }, mergePatch: { metadata: null } }])).toEqual([
    expect.stringContaining("changes metadata.name of Cluster tenant/tenant"),
    expect.stringContaining("changes metadata.namespace of Cluster tenant/tenant"),
  ]);
});

test("a patch of health checks is a fault where they are switched off", () => {
  const off = { healthCheck: { enabled: false } };
  const patch = { target: { kind: "MachineHealthCheck" }, mergePatch: { spec: {} } };
  const cluster = {
    controlPlane: off,
    nodeGroups: { a: { replicas: 1, ...off } },
  };
  expect(faultsOf([patch], cluster)).toEqual([
    "patches.0.target.kind: the cluster has no MachineHealthCheck; remove the patch",
  ]);
});

test("patched objects are compared with the CRDs that a CNF of the management cluster brings", () => {
  const definition = {
    ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
    metadata: { name: "openstackclusters.infrastructure.cluster.x-k8s.io" },
    spec: {
      ...{ group: "infrastructure.cluster.x-k8s.io", scope: "Namespaced" },
      names: { kind: "OpenStackCluster", plural: "openstackclusters" },
      versions: [
        {
          name: "v1beta1",
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: { tags: { type: "array" } },
                  "x-kubernetes-preserve-unknown-fields": true,
                },
              },
              "x-kubernetes-preserve-unknown-fields": true,
            },
          },
        },
      ],
    },
  };
  const faults = (managementVim: string) => {
    const vnfs = {
      ...{ "vnf-a": clusterVnf(1), "vnf-b": clusterVnf(1) },
      management: {
        ...{ package: "management", vim: managementVim },
        additionalParams: { "lcm-kubernetes-def-files": ["crd.yaml"] },
      },
      tenant: templateCluster({
        vim: "vnf-a",
        patches: [{ target: { kind: "OpenStackCluster" }, mergePatch: { spec: { tags: "a" } } }],
      }),
    };
    const { settings } = parseSettings(vnfs, { kube: clusterTemplate() });
    const management = vnfPackage(
      "management",
      { simple: flavour() },
      { "crd.yaml": JSON.stringify(definition) },
    );
    try {
      planStack(settings, {
        loadPackage: (location) => (location === "management" ? management : loadPackage(location)),
        readProjectFile: () => "",
      });
      return [];
    } catch (error) {
      if (error instanceof SettingsFault) return error.faults;
      throw error;
    }
  };
  expect(faults("vnf-a")).toEqual([
    "vnfm:vnfs.tenant.patches: of OpenStackCluster tenant/tenant /spec/tags must be array",
  ]);
  expect(faults("vnf-b")).toEqual([]);
});
