import { cnfGraph, inOrder } from "../../../components/plan/workload/cnf-order";
import type { CnfPlan } from "../../../components/plan/workload/model";
import { withAddressesAwaited } from "../../../components/plan/workload/cnf-services";
import { planned } from "../cnf/support";

const brings = (kind: string): string =>
  `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ${kind}},
  spec: {group: example.com, scope: Namespaced, names: {kind: ${kind}}}}\n---\n`;
const uses = (kind: string): string =>
  `{apiVersion: example.com/v1, kind: ${kind}, metadata: {name: x}}\n---\n`;

function orderOf(manifests: Readonly<Record<string, string>>): [string[], Record<string, string[]>] {
  const plans = Object.entries(manifests).map(([instance, yaml]) => planned(yaml, { instance }).plan);
  const graph = cnfGraph(plans);
  return [inOrder(graph), Object.fromEntries([...graph].map(([name, before]) => [name, [...before]]))];
}

test("a CNF comes after the one that brings the definitions of its custom resources, and after no other", () => {
  expect(
    orderOf({
      user: uses("Site"),
      operator: brings("Site") + uses("Site"),
      plain: "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}",
    }),
  ).toEqual([["operator", "user", "plain"], { user: ["operator"], operator: [], plain: [] }]);
});

test("two that bring definitions for each other have some order", () => {
  expect(orderOf({ a: brings("A") + uses("B"), b: brings("B") + uses("A") })).toEqual([
    ["b", "a"],
    { a: ["b"], b: [] },
  ]);
});

test("two that have an object in common, as the namespace of both, come at the same time", () => {
  const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: shared}}\n---\n";
  const [, graph] = orderOf({
    a: `${namespace}{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shared}}`,
    b: `${namespace}{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: shared}}`,
  });
  expect(graph).toEqual({ a: [], b: [] });
});

const controller = (image: string): string =>
  `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: c},
  spec: {template: {spec: {containers: [{name: c, image: ${image}}]}}}}`;
const storageClass = (isDefault: boolean): string =>
  `{apiVersion: storage.k8s.io/v1, kind: StorageClass, provisioner: p, metadata: {name: fast,
  annotations: {storageclass.kubernetes.io/is-default-class: "${isDefault}"}}}`;
const claim = (spec: string): string =>
  `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {${spec}}}`;
const service = (type: string): string =>
  `{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: ${type}, ports: [{port: 80}]}}`;
const CLOUD = controller("registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.34.1");

test.each<[string, string, string, boolean]>([
  ["a Service with a balancer", service("LoadBalancer"), CLOUD, true],
  ["a Service without one", service("ClusterIP"), CLOUD, false],
  [
    "a Service with a balancer, and another controller",
    service("LoadBalancer"),
    controller("nginx:1"),
    false,
  ],
  ["a claim of its class", claim("storageClassName: fast"), storageClass(false), true],
  ["a claim of no class, where it is the default", claim(""), storageClass(true), true],
  ["a claim of no class, where it is not", claim(""), storageClass(false), false],
  ["a claim of a volume that is there", claim("volumeName: v"), storageClass(true), false],
])("objects that a controller cleans up are deleted before its CNF: %s", (_, user, brought, isBefore) => {
  const [, graph] = orderOf({ user, brought });
  expect(graph).toEqual({ user: isBefore ? ["brought"] : [], brought: [] });
});

test("a Service waits for its address where a CNF of the stack brings the controller, elsewhere not", () => {
  const waits = (brought: string) => {
    const [user, other] = Object.entries({ user: service("LoadBalancer"), brought }).map(
      ([instance, yaml]) => planned(yaml, { instance }).plan,
    ) as [CnfPlan, CnfPlan];
    return withAddressesAwaited(user, [user, other]).objects.map(
      ({ object }) => object.metadata.annotations?.["pulumi.com/waitFor"],
    );
  };
  expect(waits(CLOUD)).toEqual(["jsonpath={.status.loadBalancer.ingress}"]);
  expect(waits(controller("nginx:1"))).toEqual(["jsonpath={.metadata.uid}"]);
});
