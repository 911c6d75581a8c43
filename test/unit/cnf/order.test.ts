import { orderObjects } from "../../../components/kube/order/order";
import { dependencies, objectsOf, planned } from "./support";
import { placeOf } from "../places";

const deployment = (name: string, pod = "", labels = `{app: ${name}}`): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: ${labels}}
  template:
    metadata: {labels: ${labels}}
    spec: {containers: [{name: c, image: i}]${pod}}
---`;

const crd = (group: string, kind: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.${group}}
spec: {group: ${group}, scope: Namespaced, names: {kind: ${kind}}}
---`;

const object = (apiVersion: string, kind: string, name: string, rest = ""): string => `
apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: ${name}}
${rest}
---`;

const before = (yaml: string): Record<string, string[]> => dependencies(planned(yaml).plan);

test.each<[string, string, string, string[]]>([
  [
    "a claim comes after the volumes it may bind, and these after their class",
    object("v1", "PersistentVolumeClaim", "c", "spec: {storageClassName: fast}") +
      object("v1", "PersistentVolume", "v", "spec: {}") +
      object("storage.k8s.io/v1", "StorageClass", "fast", "provisioner: x"),
    "persistentvolumeclaim-default/c",
    ["persistentvolume-v"],
  ],
  [
    "a binding comes after its role and its subjects",
    object(
      "rbac.authorization.k8s.io/v1",
      "RoleBinding",
      "b",
      "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: s}]",
    ) +
      object("v1", "ServiceAccount", "s") +
      object("rbac.authorization.k8s.io/v1", "Role", "r"),
    "rolebinding-default/b",
    ["serviceaccount-default/s", "role-default/r"],
  ],
  [
    "an Ingress comes after its Service and Secret, and not after workloads",
    object(
      "networking.k8s.io/v1",
      "Ingress",
      "i",
      "spec: {tls: [{secretName: t}], rules: [{http: {paths: [{path: /, backend: {service: {name: s}}}]}}]}",
    ) +
      object("v1", "Service", "s", "spec: {ports: [{port: 1}]}") +
      object("v1", "Secret", "t") +
      deployment("d"),
    "ingress-default/i",
    ["secret-default/t", "service-default/s"],
  ],
  [
    "an autoscaler comes after its target",
    object(
      "autoscaling/v2",
      "HorizontalPodAutoscaler",
      "h",
      "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}}",
    ) + deployment("d"),
    "horizontalpodautoscaler-default/h",
    ["deployment-default/d"],
  ],
  [
    "a token Secret comes after its ServiceAccount, though that names it",
    "{apiVersion: v1, kind: Secret, metadata: {name: t, annotations: {kubernetes.io/service-account.name: s}}}\n---" +
      object("v1", "ServiceAccount", "s", "secrets: [{name: t}]"),
    "secret-default/t",
    ["serviceaccount-default/s"],
  ],
  [
    "a pod with a Multus network comes after that network",
    crd("k8s.cni.cncf.io", "NetworkAttachmentDefinition") +
      object("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", "n3") +
      `
apiVersion: v1
kind: Pod
metadata: {name: p, annotations: {k8s.v1.cni.cncf.io/networks: n3@eth1}}
spec: {containers: []}
`,
    "pod-default/p",
    ["networkattachmentdefinition.k8s.cni.cncf.io-default/n3"],
  ],
  [
    "a custom resource whose CRD is on the cluster comes before the workloads",
    object("cert-manager.io/v1", "Issuer", "i") + deployment("d"),
    "deployment-default/d",
    ["issuer.cert-manager.io-i"],
  ],
  [
    "a custom resource comes after its CRD and the workloads of its CNF",
    crd("example.com", "Site") + object("example.com/v1", "Site", "s") + deployment("operator"),
    "site.example.com-default/s",
    ["deployment-default/operator"],
  ],
  [
    "a custom resource comes after what it names",
    crd("example.com", "Site") +
      crd("example.com", "Region") +
      object("example.com/v1", "Site", "s", "spec: {regionRef: {kind: Region, name: r}}") +
      object("example.com/v1", "Region", "r"),
    "site.example.com-default/s",
    ["region.example.com-default/r"],
  ],
])("%s", (_name, yaml, key, expected) => {
  expect(before(yaml)[key]?.sort()).toEqual([...expected].sort());
});

test("a workload that mounts a certificate comes after it, and it after the workloads that make it", () => {
  const found = before(
    crd("cert-manager.io", "Certificate") +
      object("cert-manager.io/v1", "Certificate", "serving", "spec: {secretName: tls}") +
      deployment("cert-manager") +
      deployment("operator", ", volumes: [{name: v, secret: {secretName: tls}}]"),
  );
  expect(found["deployment-default/operator"]).toEqual(["certificate.cert-manager.io-default/serving"]);
  expect(found["certificate.cert-manager.io-default/serving"]).toEqual(["deployment-default/cert-manager"]);
});

test("a custom resource comes after the workload behind the webhook that checks it", () => {
  const found = before(
    crd("cert-manager.io", "Certificate") +
      crd("example.com", "Site") +
      object("cert-manager.io/v1", "Certificate", "serving", "spec: {secretName: tls}") +
      object("example.com/v1", "Site", "s") +
      deployment("operator", ", volumes: [{name: v, secret: {secretName: tls}}]") +
      object("v1", "Service", "webhook", "spec: {selector: {app: operator}}") +
      object(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "w",
        "webhooks: [{rules: [{apiGroups: [example.com]}], clientConfig: {service: {name: webhook, namespace: default}}}]",
      ),
  );
  expect(found["site.example.com-default/s"]).toContain("validatingwebhookconfiguration-w");
  expect(found["validatingwebhookconfiguration-w"]).toEqual(["deployment-default/operator"]);
});

test("a custom resource waits for the objects that the API server needs, and for none by kind", () => {
  const rules = "rules: [{apiGroups: [example.com]}]";
  const service = "clientConfig: {service: {name: webhook, namespace: default}}";
  const { plan } = planned(
    crd("example.com", "Site") +
      object(
        "example.com/v1",
        "Site",
        "s",
        "spec: {app: {kind: Deployment, apiVersion: apps/v1, name: app}}",
      ) +
      object("keda.sh/v1", "ScaledObject", "o") +
      deployment("operator") +
      deployment(
        "app",
        ", initContainers: [{name: i, image: i, envFrom: [{secretRef: {name: made-by-the-operator}}]}]",
      ) +
      object("v1", "Service", "webhook", "spec: {selector: {app: operator}}") +
      object(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "w",
        `webhooks: [{${rules}, ${service}}]`,
      ),
  );
  const ready = dependencies(plan, "ready");
  expect(ready["site.example.com-default/s"]).toEqual(["validatingwebhookconfiguration-w"]);
  expect(ready["validatingwebhookconfiguration-w"]).toContain("deployment-default/operator");
  expect(ready["validatingwebhookconfiguration-w"]).not.toContain("deployment-default/app");
  expect(ready["deployment-default/app"]).not.toContain("scaledobject.keda.sh-o");
  // the controller outlives it
  const all = dependencies(plan);
  expect(all["site.example.com-default/s"]).toContain("validatingwebhookconfiguration-w");
  expect(all["validatingwebhookconfiguration-w"]).toContain("deployment-default/app");
  expect(all["deployment-default/app"]).toContain("scaledobject.keda.sh-o");
});

test("workloads of other namespaces and of the same wait for nothing of each other", () => {
  const yaml =
    deployment("a") +
    deployment("b") +
    "\n{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: other}}";
  expect(before(yaml)).toEqual({
    "configmap-other/c": [],
    "deployment-default/a": [],
    "deployment-default/b": [],
  });
});

test("independent objects are created at the same time", () => {
  const found = before(
    crd("example.com", "Site") +
      object("v1", "ConfigMap", "c") +
      object("v1", "Secret", "s") +
      object("v1", "Service", "s") +
      object("scheduling.k8s.io/v1", "PriorityClass", "p"),
  );
  expect(Object.values(found).flat()).toEqual([]);
});

test("a circle is told as a path", () => {
  const place = placeOf();
  const claim = (name: string, source: string): string =>
    `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: ${name}, namespace: ns}, spec: {dataSource: {kind: PersistentVolumeClaim, name: ${source}}}}\n---\n`;
  expect(orderObjects(objectsOf(claim("a", "b") + claim("b", "c") + claim("c", "a")), place)).toEqual([]);
  expect(place.findings.texts).toEqual([
    "the objects refer to each other in a circle: PersistentVolumeClaim ns/a -> PersistentVolumeClaim ns/b -> PersistentVolumeClaim ns/c -> PersistentVolumeClaim ns/a",
  ]);
});
