import * as pulumi from "@pulumi/pulumi";
import { withShortStackTraces } from "../../components/deploy/stack-traces";

/** What the process is set to, as the SDK and others find it. */
const settings = () => ({
  limit: Error.stackTraceLimit,
  lookUp: Reflect.get(Error, "prepareStackTrace") as unknown,
  ofResources: Reflect.get(pulumi.Resource, "stackTrace") as unknown,
});

function deepError(depth: number): Error {
  return depth === 0 ? new Error("deep") : deepError(depth - 1);
}

const framesOf = ({ stack = "" }: Error) => stack.split("\n").filter((line) => line.startsWith("    at "));

test("stack traces are short while resources are made, and those of resources are empty", () => {
  const seen = withShortStackTraces(() => ({
    frames: framesOf(deepError(20)).length,
    ofResource: (Reflect.get(pulumi.Resource, "stackTrace") as () => unknown)(),
  }));
  expect(seen).toEqual({ frames: 2, ofResource: [] });
});

test("the rest of the program has its stack traces as before", () => {
  const before = settings();
  expect(withShortStackTraces(() => "made")).toBe("made");
  expect(settings()).toEqual(before);
});

test("the rest of the program has its stack traces as before where making has failed", () => {
  const before = settings();
  const fail = () => {
    throw new Error("not made");
  };
  expect(() => withShortStackTraces(fail)).toThrow("not made");
  expect(settings()).toEqual(before);
});
