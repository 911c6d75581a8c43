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
      "vnfm:vnfs.cnf: m.yaml: ClusterRole is cluster-scoped; its metadata.namespace is ignored",
      "vnfm:vnfs.cnf.additionalParams.namespace: blue is not that of ConfigMap own/c (m.yaml:3): its manifest sets another; override_namespace: true creates all objects in blue; no manifest creates the namespace own: it must exist on the cluster",
    ]);
  });

  test("the one that is made has the settings' labels; where none is made, they are a fault", () => {
    const namespace_labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    const labelled = (manifests: string, namespace?: string) =>
      planned(manifests, {
        params: { namespace_labels, ...(namespace !== undefined && { namespace }) },
      });
    const { plan, faults } = labelled(web, "blue");
    expect(get(plan, "namespace-blue").object.metadata).toEqual({ name: "blue", labels: namespace_labels });
    expect(faults).toEqual([]);
    const own = `${web}\n{apiVersion: v1, kind: Namespace, metadata: {name: blue}}`;
    for (const refused of [labelled(web), labelled(web, "kube-system"), labelled(own, "blue")])
      expect(refused.faults).toEqual([
        "vnfm:vnfs.cnf.additionalParams.namespace_labels: apply only to a namespace that vnfm creates: use one that no manifest defines and that is not in every cluster, as default and kube-system are, or remove them",
      ]);
  });

  test.each([
    ["kube-flannel", ["cnf-namespace-kube-flannel"]],
    ["kube-system", []],
  ])("%s is made unless every cluster has it", (namespace, made) => {
    const { plan } = planned(web, { params: { namespace } });
    expect(plan.objects.map(({ key }) => key).filter((key) => key.startsWith("cnf-namespace-"))).toEqual(
      made,
    );
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

  test("are reported if nothing creates them, except those of every cluster and of the manifests", () => {
    const objects = ["own", "own", "made", "default", "kube-system"].map(
      (namespace, i) => `{apiVersion: v1, kind: ConfigMap, metadata: {name: c${i}, namespace: ${namespace}}}`,
    );
    const made = "{apiVersion: v1, kind: Namespace, metadata: {name: made}}";
    const unmade = "no manifest creates the namespace own: it must exist on the cluster";
    const text = [...objects, made].join("\n---\n");
    expect(planned(text).plan.warnings).toEqual([
      `vnfm:vnfs.cnf.additionalParams: ${unmade}, for ConfigMap own/c0 (m.yaml:1) and 1 more; add a Namespace to the manifests, or set namespace and override_namespace`,
    ]);
    const kept = (objects: string, more = ""): string =>
      `vnfm:vnfs.cnf.additionalParams.namespace: made is not that of ${objects} another; override_namespace: true creates all objects in made${more}`;
    expect(planned(text, { params: { namespace: "made" } }).plan.warnings).toEqual([
      kept("ConfigMap own/c0 (m.yaml:1) and 1 more: their manifests set", `; ${unmade}`),
      kept("ConfigMap default/c3 (m.yaml:7): its manifest sets"),
      kept("ConfigMap kube-system/c4 (m.yaml:9): its manifest sets"),
    ]);
  });

  describe("that the settings override", () => {
    const params = { namespace: "blue", override_namespace: true };

    test("are those of all objects, as Tacker has it, and nothing is left to tell", () => {
      const { plan } = planned(yaml, { params });
      expect(plan.objects.map(({ key }) => key)).toEqual([
        "cnf-namespace-blue",
        "cnf-clusterrole-r",
        "cnf-configmap-blue/c",
        "cnf-site.example.com-blue/s",
        "cnf-deployment-blue/web",
      ]);
      expect(plan.warnings).toEqual([
        "vnfm:vnfs.cnf: m.yaml: ClusterRole is cluster-scoped; its metadata.namespace is ignored",
      ]);
    });

    test("are followed by what refers to an object that has moved, and by nothing else", () => {
      const { plan } = planned(
        `{apiVersion: v1, kind: ServiceAccount, metadata: {name: app, namespace: own}}
---
{apiVersion: v1, kind: Service, metadata: {name: hook}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: b},
 roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view},
 subjects: [{kind: ServiceAccount, name: app, namespace: own}, {kind: ServiceAccount, name: app, namespace: other}]}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: w},
 webhooks: [{name: a, clientConfig: {service: {name: hook, namespace: default, path: /a}}},
  {name: b, clientConfig: {service: {name: toString, namespace: default}}}]}`,
        { params },
      );
      expect(get(plan, "clusterrolebinding-b").object["subjects"]).toEqual([
        { kind: "ServiceAccount", name: "app", namespace: "blue" },
        { kind: "ServiceAccount", name: "app", namespace: "other" },
      ]);
      expect(get(plan, "validatingwebhookconfiguration-w").object["webhooks"]).toEqual([
        { name: "a", clientConfig: { service: { name: "hook", namespace: "blue", path: "/a" } } },
        { name: "b", clientConfig: { service: { name: "toString", namespace: "default" } } },
      ]);
      expect(get(plan, "validatingwebhookconfiguration-w").dependsOn).toContain("cnf-service-blue/hook");
    });

    test("must be there", () => {
      expect(planned(yaml, { params: { override_namespace: true } }).faults).toEqual([
        "vnfm:vnfs.cnf.additionalParams.override_namespace: needs namespace, the value that it overrides with",
      ]);
    });

    test("bring two objects of one name together, which is a fault", () => {
      const two = ["red", "green"].map(
        (own) => `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: ${own}}}`,
      );
      expect(() => planned(two.join("\n---\n"), { params })).toThrow("Secret blue/s: is already defined");
    });
  });
});
