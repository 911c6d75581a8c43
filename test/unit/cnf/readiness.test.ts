import type { Awaited } from "../../../components/kube/order/readiness";
import { planned } from "./support";

function readiness(yaml: string): unknown {
  return planned(yaml).plan.objects.map(({ object, awaited }) => [object.metadata.annotations, awaited])[0];
}

const AT_ONCE = { "pulumi.com/waitFor": "jsonpath={.metadata.uid}" };

const workload = (kind: string, spec: string): string =>
  `{apiVersion: apps/v1, kind: ${kind}, metadata: {name: w}, spec: {${spec}}}`;

test.each<[string, string, Record<string, string> | undefined, Awaited?]>([
  ["a Service", "{apiVersion: v1, kind: Service, metadata: {name: s}}", { "pulumi.com/skipAwait": "true" }],
  [
    "an ExternalName Service",
    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: ExternalName, externalName: db}}",
    { "pulumi.com/skipAwait": "true" },
  ],
  [
    "a Service with a balancer: its deletion",
    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: LoadBalancer}}",
    AT_ONCE,
  ],
  [
    "a Service of another group",
    "{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: s}}",
    undefined,
    "ready",
  ],
  [
    "an Ingress",
    "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: i}}",
    { "pulumi.com/skipAwait": "true" },
  ],
  ["a Deployment", workload("Deployment", "replicas: 2"), AT_ONCE, "ready"],
  ["a Deployment of 0", workload("Deployment", "replicas: 0"), AT_ONCE, "ready"],
  ["a DaemonSet", workload("DaemonSet", ""), AT_ONCE, "ready"],
  ["a StatefulSet", workload("StatefulSet", ""), AT_ONCE, "ready"],
  ["a ReplicaSet", workload("ReplicaSet", ""), AT_ONCE, "ready"],
  [
    "a ReplicationController",
    "{apiVersion: v1, kind: ReplicationController, metadata: {name: r}}",
    AT_ONCE,
    "ready",
  ],
  ["a Pod", "{apiVersion: v1, kind: Pod, metadata: {name: p}}", AT_ONCE, "ready"],
  [
    "a Deployment that says so itself",
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: w, annotations: {pulumi.com/skipAwait: 'true'}}}",
    { "pulumi.com/skipAwait": "true" },
  ],
  [
    "a Job: its start",
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j}}",
    { "pulumi.com/waitFor": "jsonpath={.status.startTime}" },
  ],
  [
    "a suspended Job",
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {suspend: true}}",
    AT_ONCE,
  ],
  [
    "a Job that must have ended",
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: {pulumi.com/waitFor: condition=Complete}}}",
    AT_ONCE,
    "complete",
  ],
  [
    "a CRD: established",
    "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c}}",
    { "pulumi.com/waitFor": "condition=Established" },
  ],
  ["a custom resource", "{apiVersion: example.com/v1, kind: Site, metadata: {name: s}}", undefined, "ready"],
  [
    "a custom resource that says so itself",
    "{apiVersion: example.com/v1, kind: Site, metadata: {name: s, annotations: {pulumi.com/waitFor: condition=Ready}}}",
    { "pulumi.com/waitFor": "condition=Ready" },
  ],
  [
    "a claim that no pod mounts",
    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}}",
    AT_ONCE,
    "ready",
  ],
  [
    "a claim that waits for its first consumer",
    `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{persistentVolumeClaim: {claimName: c}}]}}`,
    { "pulumi.com/skipAwait": "true" },
  ],
])("%s", (_name, yaml, ...[annotations, awaited]) => {
  expect(readiness(yaml)).toEqual([annotations, awaited]);
});
