import type { Reach } from "../../components/remote/reaching";
import { shellAssignments } from "../../components/remote/shell";
import type { RecordedResource } from "./mocks";

/** Input of a recorded script resource. */
export interface RecordedScript {
  readonly name: string;
  readonly script: string;
  readonly reach: Reach;
  /** Data that is sent before the script's text. */
  readonly data: string;
  readonly leaves?: boolean;
  readonly handover?: Reach;
}

/** Returns the script resources among recorded resources. */
export function recordedScripts(recorded: readonly RecordedResource[]): readonly RecordedScript[] {
  return recorded.flatMap(({ name, inputs }) => {
    const { VNFM_SCRIPT } = (inputs["environment"] ?? {}) as { readonly VNFM_SCRIPT?: string };
    const stdin = (inputs["stdin"] as { readonly value?: string } | undefined)?.value;
    if (VNFM_SCRIPT === undefined || stdin === undefined) return [];
    const { data, ...rest } = JSON.parse(stdin) as { reach: Reach; data: Record<string, string> };
    return [{ name, script: VNFM_SCRIPT.split(" ")[0] ?? "", data: shellAssignments(data), ...rest }];
  });
}

/** Returns the script resource of that name. @throws Error if there is none */
export function recordedScript(recorded: readonly RecordedResource[], name: string): RecordedScript {
  const found = recordedScripts(recorded).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no script is recorded as ${name}`);
  return found;
}
