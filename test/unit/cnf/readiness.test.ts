import { planned } from "./support";

function annotations(yaml: string): unknown {
  return planned(yaml).plan.objects.map(({ object }) => object.metadata.annotations)[0];
}

const workload = (kind: string, spec: string): string =>
  `{apiVersion: apps/v1, kind: ${kind}, metadata: {name: w}, spec: {${spec}}}`;

test.each<[string, string, Record<string, string> | undefined]>([
  ["a Service", "{apiVersion: v1, kind: Service, metadata: {name: s}}", { "pulumi.com/skipAwait": "true" }],
  [
    "an ExternalName Service",
    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: ExternalName, externalName: db}}",
    { "pulumi.com/skipAwait": "true" },
  ],
  [
    "a Service of another group",
    "{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: s}}",
    undefined,
  ],
  [
    "an Ingress",
    "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: i}}",
    { "pulumi.com/skipAwait": "true" },
  ],
  ["a Deployment", workload("Deployment", "replicas: 2"), undefined],
  [
    "a Deployment of 0",
    workload("Deployment", "replicas: 0"),
    { "pulumi.com/waitFor": "jsonpath={.status.observedGeneration}" },
  ],
  ["a DaemonSet, whose wait is kstatus' own, also without a node", workload("DaemonSet", ""), undefined],
  ["a StatefulSet", workload("StatefulSet", "replicas: 0"), undefined],
  [
    "a StatefulSet with a partition",
    workload("StatefulSet", "replicas: 3, updateStrategy: {rollingUpdate: {partition: 2}}"),
    {
      "pulumi.com/waitFor": '["jsonpath={.status.observedGeneration}","jsonpath={.status.readyReplicas}=3"]',
    },
  ],
  [
    "a ReplicaSet, which the plugin does not wait for",
    workload("ReplicaSet", ""),
    { "pulumi.com/waitFor": "jsonpath={.status.availableReplicas}=1" },
  ],
  [
    "a ReplicationController, whose timeout the plugin does not keep",
    "{apiVersion: v1, kind: ReplicationController, metadata: {name: r}, spec: {replicas: 2}}",
    { "pulumi.com/waitFor": "jsonpath={.status.availableReplicas}=2" },
  ],
  [
    "a ReplicaSet of 0",
    workload("ReplicaSet", "replicas: 0"),
    { "pulumi.com/waitFor": "jsonpath={.status.observedGeneration}" },
  ],
  [
    "a Job: its start",
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j}}",
    { "pulumi.com/waitFor": "jsonpath={.status.startTime}" },
  ],
  [
    "a suspended Job",
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {suspend: true}}",
    { "pulumi.com/waitFor": "jsonpath={.metadata.uid}" },
  ],
  [
    "a Job that must have ended",
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: {pulumi.com/waitFor: condition=Complete}}}",
    { "pulumi.com/waitFor": "condition=Complete" },
  ],
  [
    "a CRD: established",
    "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c}}",
    { "pulumi.com/waitFor": "condition=Established" },
  ],
  ["a custom resource", "{apiVersion: example.com/v1, kind: Site, metadata: {name: s}}", undefined],
  [
    "a custom resource that says so itself",
    "{apiVersion: example.com/v1, kind: Site, metadata: {name: s, annotations: {pulumi.com/waitFor: condition=Ready}}}",
    { "pulumi.com/waitFor": "condition=Ready" },
  ],
  [
    "a claim that no pod mounts",
    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}}",
    undefined,
  ],
  [
    "a claim that waits for its first consumer",
    `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{persistentVolumeClaim: {claimName: c}}]}}`,
    { "pulumi.com/skipAwait": "true" },
  ],
])("%s", (_name, yaml, expected) => {
  expect(annotations(yaml)).toEqual(expected);
});
