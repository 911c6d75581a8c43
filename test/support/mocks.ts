import * as pulumi from "@pulumi/pulumi";

/** A resource that the program registered. Secret and unknown inputs have the envelopes of Pulumi's protocol. */
export interface RecordedResource {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

const STACK_TRACE_LIMIT = Error.stackTraceLimit;

/** Records the resources that a program registers without an engine. It must run before the first resource. */
export function recordResources(
  outputs: (resource: RecordedResource) => Record<string, unknown> = () => ({}),
  { project, stack } = { project: "vnfm", stack: "test" },
): RecordedResource[] {
  const recorded: RecordedResource[] = [];
  // the SDK records a stack trace for each promise, and Jest maps each of its lines: half of these tests' time
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

/** Waits until all resources of the program are recorded. */
export async function settle(): Promise<void> {
  await pulumi.runtime.disconnect();
  Error.stackTraceLimit = STACK_TRACE_LIMIT;
}
