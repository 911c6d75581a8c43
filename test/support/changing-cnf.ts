import { objectsCnf } from "./workload-cluster";

const container = { name: "web", image: "nginx:1.27", imagePullPolicy: "IfNotPresent" };
const template = { metadata: { labels: { app: "x" } }, spec: { containers: [container] } };
const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
const role = (name: string) => ({
  ...rbac,
  kind: "Role",
  metadata: { name },
  rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
});
const storage = (size: string) => ({ resources: { requests: { storage: size } } });

/** Objects with immutable fields, by kind and name in the form of `kubectl get`. */
export const OBJECTS: Readonly<Record<string, object>> = {
  "persistentvolume/changing-nfs": {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "changing-nfs" },
    spec: {
      accessModes: ["ReadWriteMany"],
      capacity: { storage: "1Gi" },
      nfs: { server: "198.19.0.250", path: "/first" },
    },
  },
  "persistentvolume/changing-data": {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "changing-data" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "5Gi" },
      storageClassName: "changing",
      hostPath: { path: "/var/lib/changing", type: "DirectoryOrCreate" },
    },
  },
  "storageclass/changing": {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "changing" },
    provisioner: "kubernetes.io/no-provisioner",
    volumeBindingMode: "Immediate",
    allowVolumeExpansion: true,
  },
  "priorityclass/changing": {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "changing" },
    value: 1000,
  },
  "customresourcedefinition/things.example.com": {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things" },
      scope: "Namespaced",
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      ],
    },
  },
  "role/first": role("first"),
  "role/second": role("second"),
  "rolebinding/changing": {
    ...rbac,
    kind: "RoleBinding",
    metadata: { name: "changing" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "first" },
    subjects: [{ kind: "ServiceAccount", name: "default" }],
  },
  "pod/changing": {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "changing" },
    spec: { containers: [container], hostname: "first", terminationGracePeriodSeconds: 1 },
  },
  "service/changing": {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "changing" },
    spec: { clusterIP: "None", selector: { app: "x" }, ports: [{ port: 80 }] },
  },
  "statefulset/changing": {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "changing" },
    spec: {
      replicas: 1,
      revisionHistoryLimit: 2,
      serviceName: "changing",
      selector: { matchLabels: { app: "x" } },
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], storageClassName: "changing", ...storage("1Gi") },
        },
      ],
    },
  },
  "deployment/web": {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 6,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [container], terminationGracePeriodSeconds: 1 },
      },
    },
  },
};

export const AUTOSCALER = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "web" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    minReplicas: 4,
    maxReplicas: 8,
  },
};

/**
 * Returns the CNF `vnf-b` with these objects on the cluster `vnf-a`.
 *
 * @param folder folder of the stack, into which the package is written
 */
export function changingCnf(folder: string, objects: readonly object[]): object {
  return objectsCnf(folder, "changing-cnf", "vnf-a", objects, { namespace: "changing" });
}
