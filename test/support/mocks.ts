import * as pulumi from "@pulumi/pulumi";

/** A resource as the program asked for it. Inputs that are secret or unknown are envelopes. */
export interface RecordedResource {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

const STACK_TRACE_LIMIT = Error.stackTraceLimit;

/** Records the resources of a program that runs without an engine. Call it before the first resource. */
export function recordResources(
  outputs: (resource: RecordedResource) => Record<string, unknown> = () => ({}),
  { project, stack } = { project: "vnfm", stack: "test" },
): RecordedResource[] {
  const recorded: RecordedResource[] = [];
  // the SDK writes down a stack for each promise, and jest looks up each line of it: half of these tests' time
  Error.stackTraceLimit = 0;
  void pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        const resource = { type, name, inputs: inputs as RecordedResource["inputs"] };
        recorded.push(resource);
        const kept = name === "identity" ? { output: "site-1-5f0c2a9e" } : {};
        return { id: `${name}-id`, state: { ...resource.inputs, ...kept, ...outputs(resource) } };
      },
      call: ({ inputs }) => ({ ...(inputs as object), id: "looked-up", ids: ["looked-up"] }),
    },
    project,
    stack,
    false,
    "organization",
  );
  return recorded;
}

/** Waits until everything that the program asked for is recorded. */
export async function settle(): Promise<void> {
  await pulumi.runtime.disconnect();
  Error.stackTraceLimit = STACK_TRACE_LIMIT;
}
