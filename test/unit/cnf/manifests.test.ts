import { readManifests } from "../../../components/kube/manifests/manifests";
import type { Fault } from "../../../components/vnfd/model";
import { objectsOf, packageOf, planned } from "./support";

function faultsOf(yaml: string): string[] {
  const faults: Fault[] = [];
  readManifests(packageOf({ "m.yaml": yaml }), ["m.yaml"], faults);
  return faults.map(({ file, line, node, message }) => `${file}:${line ?? ""}: ${node}: ${message}`);
}

test("lists are opened, also lists in lists", () => {
  const list = `
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  - apiVersion: v1
    kind: ConfigMapList
    items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}]
`;
  expect(objectsOf(list).map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
});

test("a list without items is empty", () => {
  const configMap = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
  for (const items of ["", ", items: ", ", items: []"])
    expect(objectsOf(`{apiVersion: v1, kind: List${items}}\n---\n${configMap}`)).toHaveLength(1);
});

test("a custom kind that only ends like a list is an object", () => {
  const [object] = objectsOf("{apiVersion: acl.example.com/v1, kind: AccessList, metadata: {name: a}}");
  expect(object?.kind).toBe("AccessList");
});

test("all faults are told at once, with file, line and document", () => {
  const yaml = `kind: ConfigMap
---
apiVersion: v1
kind: ConfigMap
metadata: {labels: {a: b}}
---
- 1
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Pod}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: 1}}
---
apiVersion: apps/v1/x
kind: Deployment
metadata: {name: a}
`;
  expect(faultsOf(yaml)).toEqual([
    "m.yaml:1: document 1: has no apiVersion",
    "m.yaml:3: document 2, ConfigMap: has no metadata.name",
    "m.yaml:7: document 3: is a list; write its objects as separate documents, each after a line with ---",
    "m.yaml:12: document 4, Pod: has no metadata.name",
    "m.yaml:13: document 4, ConfigMap: metadata.name is 1, which is not a string; quote it",
    'm.yaml:15: document 5: apiVersion "apps/v1/x" is not valid in Kubernetes',
  ]);
});

test("a file that is no UTF-8 is a fault", () => {
  const faults: Fault[] = [];
  const latin1 = Buffer.from(
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: \u00e9}}",
    "latin1",
  );
  expect(readManifests({ read: () => latin1 }, ["m.yaml"], faults)).toEqual([]);
  expect(faults.map(({ message }) => message)).toEqual(["is not UTF-8 text"]);
});

test("a document may begin with a byte order mark, which stays within a text", () => {
  const configMap = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {k: "\uFEFF"}\n`;
  const all = objectsOf(
    `\uFEFF${configMap("a")}---\n\uFEFF${configMap("b")}\uFEFF---\n${configMap("c")}--- # d\r\n\uFEFF${configMap("d")}`,
  );
  expect(all.map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c", "d"]);
  expect(all.map(({ data }) => data)).toEqual([1, 2, 3, 4].map(() => ({ k: "\uFEFF" })));
});

test.each<[string, string]>([
  ["metadata: {name: a, annotations: foo}", 'metadata.annotations is "foo", which is not a map'],
  ["metadata: {name: a, labels: [b]}", 'metadata.labels is ["b"], which is not a map'],
  [
    "metadata: {name: a, annotations: {prometheus.io/port: 8080}}",
    "metadata.annotations: prometheus.io/port is 8080, which is not a string; quote it",
  ],
  [
    "metadata: {name: a}, spec: {template: {metadata: {labels: {on: yes}}}}",
    "pod template's metadata.labels: true is true, which is not a string; quote it",
  ],
])("%s is a fault", (yaml, message) => {
  expect(faultsOf(`{apiVersion: apps/v1, kind: Deployment, ${yaml}}`)).toEqual([
    `m.yaml:1: document 1, Deployment: ${message}`,
  ]);
});

test("labels and annotations may be empty", () => {
  expect(faultsOf("{apiVersion: v1, kind: Pod, metadata: {name: a, labels: , annotations: {b: }}}")).toEqual(
    [],
  );
});

test.each(["spec: &s {a: [*s]}", "items: [{apiVersion: v1, kind: Pod, metadata: {name: a}}, *s]"])(
  "an object that contains itself is a fault: %s",
  (yaml) => {
    const anchor = yaml.startsWith("items") ? "&s " : "";
    expect(faultsOf(`---\n${anchor}{apiVersion: v1, kind: List, metadata: {name: a}, ${yaml}}`)).toEqual([
      "m.yaml:2: : an alias contains itself",
    ]);
  },
);

test("an alias of something else may stand anywhere", () => {
  const [object] = objectsOf(
    "{apiVersion: v1, kind: Pod, metadata: &m {name: &m a, namespace: *m}, spec: {m: *m}}",
  );
  expect(object?.metadata.namespace).toBe("a");
});

test("a review needs no name to be read", () => {
  expect(
    objectsOf("{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectRulesReview, spec: {namespace: x}}"),
  ).toHaveLength(1);
});

test("a group that is named like a property of every object is a custom one", () => {
  const { plan } = planned("{apiVersion: constructor/v1, kind: Deployment, metadata: {name: a}}");
  expect(plan.objects.map(({ key }) => key)).toEqual(["cnf-deployment.constructor-a"]);
});

describe("files of other tools", () => {
  test.each<[string, string, string, string]>([
    [
      "a kustomization",
      "k.yaml",
      "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
      "is a kustomization; list the output of `kubectl kustomize` instead",
    ],
    [
      "a kustomization by its name",
      "a/kustomization.yaml",
      "resources: [a.yaml]\n",
      "is a kustomization; list the output of `kubectl kustomize` instead",
    ],
    [
      "a kubeconfig",
      "config",
      "apiVersion: v1\nkind: Config\nclusters: []\n",
      "is a kubeconfig, which is for clients",
    ],
    [
      "settings of istioctl",
      "i.yaml",
      "apiVersion: install.istio.io/v1alpha1\nkind: IstioOperator\nmetadata: {name: a}\n",
      "contains settings of istioctl; list the output of `istioctl manifest generate` instead",
    ],
    [
      "a configuration of kubeadm",
      "k.yaml",
      "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n",
      "is a configuration of kubeadm; write such settings in the parameters of the cluster's instance",
    ],
    [
      "a configuration of the kubelet",
      "k.yaml",
      "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n",
      "is a configuration file of a component of Kubernetes; write such settings in the parameters of the cluster's instance",
    ],
    [
      "an audit policy",
      "k.yaml",
      "apiVersion: audit.k8s.io/v1\nkind: Policy\n",
      "is a configuration file of a component of Kubernetes; write such settings in the parameters of the cluster's instance",
    ],
    [
      "a configuration of kind",
      "k.yaml",
      "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n",
      "is a configuration of kind, which creates clusters on one machine",
    ],
    [
      "a Chart.yaml",
      "web/Chart.yaml",
      "apiVersion: v2\nname: web\nversion: 1.0.0\n",
      "is the Chart.yaml of a Helm chart; install the chart with using_helm_install_param",
    ],
    [
      "an index of charts",
      "index.yaml",
      "apiVersion: v1\nentries: {}\n",
      "is the index of a Helm repository; install the chart with using_helm_install_param",
    ],
    [
      "values of a chart",
      "web/values-prod.yaml",
      "replicas: 1\n",
      "contains values of a Helm chart; install the chart with using_helm_install_param, with these values",
    ],
    [
      "a Compose file",
      "compose.yaml",
      "services: {web: {image: nginx}}\n",
      "is a Compose file, which is for Docker",
    ],
  ])("%s is named", (_, file, yaml, message) => {
    const faults: Fault[] = [];
    expect(readManifests(packageOf({ [file]: yaml }), [file], faults)).toEqual([]);
    expect(faults.map((found) => found.message)).toEqual([message]);
  });

  test("objects of the same kinds in other groups are read", () => {
    const flux = "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: a}}";
    const own = "{apiVersion: example.com/v1, kind: Config, metadata: {name: b}}";
    expect(objectsOf(`${flux}\n---\n${own}`)).toHaveLength(2);
  });
});

describe("objects that are for no cluster", () => {
  const job = (name: string, annotations: string, apiVersion = "batch/v1", kind = "Job") =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}, annotations: {${annotations}}}\n`;
  const kept = [
    job("not-local", '"config.kubernetes.io/local-config": "false"'),
    job("installed", '"helm.sh/hook": "pre-install, pre-delete"'),
    job("upgraded", '"helm.sh/hook": post-upgrade'),
    job("resources", "", "kpt.dev/v1alpha1", "ResourceGroup"),
  ];
  const left: readonly (readonly [string, string, string])[] = [
    [
      job("local", '"config.kubernetes.io/local-config": "true"'),
      "Job local",
      "is for tools and not for a cluster, by its annotation config.kubernetes.io/local-config",
    ],
    [
      job("setters", "", "fn.kpt.dev/v1alpha1", "ApplySetters"),
      "ApplySetters setters",
      "is for kpt and not for a cluster",
    ],
    [job("web", "", "kpt.dev/v1", "Kptfile"), "Kptfile web", "is for kpt and not for a cluster"],
    [
      job("tested", '"helm.sh/hook": test'),
      "Job tested",
      "is a hook that Helm runs only at test; install the chart with using_helm_install_param to run it",
    ],
    [
      job("deleted", '"helm.sh/hook": "pre-delete,Post-Delete"'),
      "Job deleted",
      "is a hook that Helm runs only at pre-delete and post-delete; install the chart with using_helm_install_param to run it",
    ],
  ];

  test("are left out, each with a warning", () => {
    const { plan, faults } = planned([...left.map(([yaml]) => yaml), ...kept].join("---\n"));
    expect(faults).toEqual([]);
    expect(plan.warnings).toEqual(
      left.map(([, shown, reason], i) => `m.yaml:${i * 4 + 1}: ${shown}: ${reason}; it is ignored`),
    );
    expect(plan.objects.map(({ object }) => object.metadata.name).sort()).toEqual([
      "installed",
      "not-local",
      "resources",
      "upgraded",
    ]);
  });
});

test("containers without an image are a fault, as the API refuses them", () => {
  const pod =
    "spec: {initContainers: [{name: first}, {name: second, image: i}], containers: [{name: main, image: ''}]}";
  const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {${pod}}}\n`;
  expect(() => planned(`${deployment}---\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n${pod}\n`)).toThrow(
    [
      "VNF package packages/cnf is not valid:",
      "  m.yaml:1: Deployment a: has containers without an image: first, main",
      "  m.yaml:6: Pod b: has containers without an image: first, main",
    ].join("\n"),
  );
});
