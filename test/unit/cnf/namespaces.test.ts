import { get, planned } from "./support";

const web = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}\n---";

describe("namespaces", () => {
  const yaml = `${web}
{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: own}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r, namespace: nonsense}}
---
{apiVersion: example.com/v1, kind: Site, metadata: {name: s}}
`;

  test("the settings' namespace is for objects that name none, and is made", () => {
    const { plan } = planned(yaml, { params: { namespace: "blue" } });
    expect(plan.namespace).toBe("blue");
    expect(plan.objects.map(({ key, retain }) => [key, retain])).toEqual([
      ["cnf-configmap-own/c", false],
      ["cnf-namespace-blue", true],
      ["cnf-clusterrole-r", false],
      ["cnf-site.example.com-blue/s", false],
      ["cnf-deployment-blue/web", false],
    ]);
    expect(get(plan, "clusterrole-r").object.metadata).toEqual({ name: "r" });
    expect(plan.warnings).toEqual([
      "vnfm:vnfs.cnf: m.yaml: ClusterRole is cluster-scoped; its metadata.namespace is left out",
    ]);
  });

  test("without one it is default, which is not made; a kind of unknown scope is left as it is", () => {
    const { plan } = planned(yaml);
    expect(plan.objects.map(({ key }) => key)).toEqual([
      "cnf-configmap-own/c",
      "cnf-clusterrole-r",
      "cnf-site.example.com-s",
      "cnf-deployment-default/web",
    ]);
  });

  test("a Namespace of the manifests is the CNF's own", () => {
    const { plan } = planned("{apiVersion: v1, kind: Namespace, metadata: {name: blue}}", {
      params: { namespace: "blue" },
    });
    expect(plan.objects.map(({ key, retain }) => [key, retain])).toEqual([["cnf-namespace-blue", false]]);
  });

  test("a custom kind has the scope of its CRD", () => {
    const crd = (kind: string, scope: string): string =>
      `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ${kind}}, spec: {group: example.com, scope: ${scope}, names: {kind: ${kind}}}}\n---\n`;
    const { plan } = planned(
      `${crd("Site", "Namespaced")}${crd("Region", "Cluster")}
{apiVersion: example.com/v1, kind: Site, metadata: {name: s}}
---
{apiVersion: example.com/v1, kind: Region, metadata: {name: r}}`,
    );
    expect(plan.objects.map(({ key }) => key).slice(2)).toEqual([
      "cnf-region.example.com-r",
      "cnf-site.example.com-default/s",
    ]);
  });

  test("a binding's service account without a namespace is the one beside it", () => {
    const binding = (kind: string) => `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ${kind}, metadata: {name: b},
 roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view},
 subjects: [{kind: ServiceAccount, name: own}, {kind: ServiceAccount, name: s, namespace: other}, {kind: User, name: u}]}
---`;
    const { plan } = planned(binding("RoleBinding") + binding("ClusterRoleBinding"), {
      params: { namespace: "blue" },
    });
    for (const key of ["rolebinding-blue/b", "clusterrolebinding-b"]) {
      expect(get(plan, key).object["subjects"]).toEqual([
        { kind: "ServiceAccount", name: "own", namespace: "blue" },
        { kind: "ServiceAccount", name: "s", namespace: "other" },
        { kind: "User", name: "u" },
      ]);
    }
  });
});
