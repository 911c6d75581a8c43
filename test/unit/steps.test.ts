import { CNF, CONTROL_PLANE, MEMBER, ownerOfStep, stepKindOf, stepName } from "../../components/deploy/steps";

test.each([
  [MEMBER, "nodeReady", "a-workerNode-1-ready"],
  [CNF, "objectReady", "a-workerNode-1-ready"],
  [CNF, "definitions", "a-workerNode-1-definitions"],
  [CNF, "definitionsEnd", "a-workerNode-1-definitions-end"],
  [CNF, "foreignObjects", "a-workerNode-1-foreign-objects"],
] as const)("a step is known by its component and the end of its name: %s, %s", (component, kind, name) => {
  expect(stepName("a-workerNode-1", kind)).toBe(name);
  expect(stepKindOf(name, component)).toBe(kind);
  expect(ownerOfStep(name, kind)).toBe("a-workerNode-1");
});

test("a step of another component is of no kind", () => {
  expect(stepKindOf("a-workerNode-1-member", CONTROL_PLANE)).toBeUndefined();
  expect(stepKindOf("a-workerNode-1-member", undefined)).toBeUndefined();
});
