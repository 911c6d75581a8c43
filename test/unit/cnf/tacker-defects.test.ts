import { at } from "../../../components/kube/objects/object";
import { dependencies, get, planned } from "./support";

const object = (apiVersion: string, kind: string, name: string, rest = ""): string =>
  `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}}${rest}}\n---\n`;
const rbac = "rbac.authorization.k8s.io/v1";

test("D21: Role and RoleBinding both get the request's namespace", () => {
  const { plan } = planned(object(rbac, "Role", "r") + object(rbac, "RoleBinding", "b"), {
    params: { namespace: "blue" },
  });
  expect(plan.objects.map(({ object: { kind, metadata } }) => [kind, metadata.namespace])).toEqual(
    expect.arrayContaining([
      ["Role", "blue"],
      ["RoleBinding", "blue"],
    ]),
  );
});

test("D22: every Deployment comes after the ConfigMaps, not every second one", () => {
  const uses = (name: string): string =>
    `, spec: {template: {spec: {volumes: [{configMap: {name: ${name}}}]}}}`;
  const names = ["one", "two", "three", "four"];
  const { plan } = planned(
    names
      .map((name) => object("apps/v1", "Deployment", name, uses(name)) + object("v1", "ConfigMap", name))
      .join(""),
  );
  const all = names.map((name) => `configmap-default/${name}`).sort();
  for (const name of names) expect(dependencies(plan)[`deployment-default/${name}`]).toEqual(all);
});

test("D23: the order of documents does not matter", () => {
  const documents = [
    object("apps/v1", "Deployment", "d", ", spec: {template: {spec: {serviceAccountName: s}}}"),
    object("v1", "ServiceAccount", "s"),
    object("v1", "Namespace", "blue"),
    object("example.com/v1", "Site", "x"),
    object(
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      "c",
      ", spec: {group: example.com, names: {kind: Site}}",
    ),
  ];
  expect(planned(documents.join("")).plan.objects).toEqual(
    planned([...documents].reverse().join("")).plan.objects,
  );
});

test("D24: nothing waits for pods or addresses that will never be, or for the end of a Job", () => {
  const { plan } = planned(
    object("apps/v1", "Deployment", "none", ", spec: {replicas: 0}") +
      object("v1", "Service", "name", ", spec: {type: ExternalName, externalName: db.example.com}") +
      object("batch/v1", "Job", "job"),
  );
  const annotations = (key: string): unknown => get(plan, key).object.metadata.annotations;
  expect(annotations("deployment-default/none")).toEqual({
    "pulumi.com/waitFor": "jsonpath={.metadata.uid}",
  });
  expect(annotations("service-default/name")).toEqual({ "pulumi.com/skipAwait": "true" });
  expect(annotations("job-default/job")).toEqual({ "pulumi.com/waitFor": "jsonpath={.status.startTime}" });
});

test("D25: the manifest's namespace stays, and a CNF may have several", () => {
  const inOther = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: other}}\n---\n";
  const { plan, faults } = planned(inOther + object("v1", "ConfigMap", "c"), {
    params: { namespace: "blue" },
  });
  expect(faults).toEqual([]);
  expect(plan.objects.map(({ key }) => key)).toEqual(
    expect.arrayContaining(["cnf-configmap-other/c", "cnf-configmap-blue/c"]),
  );
});

test("D26: a VDU is one object by exact name: neither web-db nor web-proxy is web", () => {
  const { plan, faults } = planned(
    object("apps/v1", "ReplicaSet", "web-db", ", spec: {replicas: 3}") +
      object("v1", "Pod", "web-proxy") +
      object("apps/v1", "Deployment", "web", ", spec: {replicas: 1}"),
    { vdus: { VDU1: "web" }, counts: { VDU1: 2 } },
  );
  expect(faults).toEqual([]);
  expect(plan.vnfcs.map(({ kind, name, replicas }) => [kind, name, replicas])).toEqual([
    ["Deployment", "web", 2],
  ]);
  expect(at(get(plan, "replicaset-default/web-db").object, "spec", "replicas")).toBe(3);
});
