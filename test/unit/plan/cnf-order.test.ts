import { cnfGraph, inOrder } from "../../../components/plan/workload/cnf-order";
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
