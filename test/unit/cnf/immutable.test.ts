import { digest } from "../../../components/kube/objects/checksum";
import { immutableContent } from "../../../components/kube/objects/immutable";
import { get, objectsOf, planned } from "./support";

const content = (yaml: string) =>
  immutableContent(objectsOf(yaml)[0] ?? { apiVersion: "", kind: "", metadata: {} });

describe("what nobody may change of an object that is there", () => {
  test.each([
    [
      "a PersistentVolume: its source, not its capacity",
      `{apiVersion: v1, kind: PersistentVolume, metadata: {name: x},
        spec: {capacity: {storage: 1Gi}, mountOptions: [ro], nfs: {path: /a, server: b}, volumeMode: Block}}`,
      { nfs: { path: "/a", server: "b" }, volumeMode: "Block" },
    ],
    [
      "a claim: all but its size",
      `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: x},
        spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`,
      { accessModes: ["ReadWriteOnce"] },
    ],
    [
      "a StatefulSet: its claims and its identity",
      `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: x}, spec: {replicas: 2, serviceName: s,
        revisionHistoryLimit: 3, template: {}, volumeClaimTemplates: [{metadata: {name: d}}]}}`,
      { serviceName: "s", volumeClaimTemplates: [{ metadata: { name: "d" } }] },
    ],
    [
      "a binding: its role",
      `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: x}, subjects: [],
        roleRef: {kind: Role, name: r}}`,
      { roleRef: { kind: "Role", name: "r" } },
    ],
    [
      "a storage class: what volumes are made of",
      `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: x}, provisioner: p,
        allowVolumeExpansion: true, volumeBindingMode: Immediate}`,
      { provisioner: "p", volumeBindingMode: "Immediate" },
    ],
    [
      "a priority class: its value",
      `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: x}, value: 5, description: d}`,
      { value: 5 },
    ],
    [
      "a pod: all of its spec",
      `{apiVersion: v1, kind: Pod, metadata: {name: x, labels: {a: b}}, spec: {hostname: h}}`,
      { hostname: "h" },
    ],
    [
      "a Service without an address: that it has none",
      `{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {clusterIP: None, ports: [{port: 80}]}}`,
      { clusterIP: "None" },
    ],
    [
      "a Service with an address of the cluster's: nothing",
      `{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {ports: [{port: 80}]}}`,
      undefined,
    ],
    [
      "a Deployment: nothing that the plugin does not know",
      `{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}}`,
      undefined,
    ],
    [
      "a custom resource: its API says",
      `{apiVersion: example.com/v1, kind: Pod, metadata: {name: x}, spec: {a: 1}}`,
      undefined,
    ],
  ])("is of %s", (_, yaml, expected) => {
    expect(content(yaml)).toEqual(expected);
  });

  test("is another where a list is in another order, not where a map is", () => {
    expect(digest({ args: ["a", "b"], c: 1 })).not.toBe(digest({ args: ["b", "a"], c: 1 }));
    expect(digest({ args: ["a", "b"], c: 1 })).toBe(digest({ c: 1, args: ["a", "b"] }));
  });
});

describe("fields that others decide", () => {
  const { plan } = planned(`
{apiVersion: apps/v1, kind: Deployment, metadata: {name: scaled}, spec: {replicas: 6}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: fixed}, spec: {replicas: 6}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: by-events}, spec: {replicas: 6}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h},
  spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: scaled}}}
---
{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: k, namespace: default},
  spec: {scaleTargetRef: {name: by-events}}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}}
`);

  test.each([
    ["scaled", "deployment-default/scaled", ["spec.replicas"]],
    ["scaled by a ScaledObject of KEDA", "deployment-default/by-events", ["spec.replicas"]],
    ["of fixed size", "deployment-default/fixed", []],
  ])("are the replicas of a Deployment that is %s", (_, key, expected) => {
    expect(get(plan, key).ignoreChanges).toEqual(expected);
  });

  test("are the kept revisions of a StatefulSet, which a patch has", () => {
    expect(get(plan, "statefulset-default/db").ignoreChanges).toEqual(["spec.revisionHistoryLimit"]);
  });
});
