import { findingOf, type Finding } from "../../components/base/findings";
import { SettingsFault, type Fault } from "../fault";
import type { Preview } from "./changes";

/** Format of the document. The number rises if a key is removed or changes its meaning; see preview.schema.json. */
const FORMAT = "vnfm.preview/1";
const HEAD = { format: FORMAT, command: "preview" } as const;

/** The document of `vnfm preview --json`. @param stack with organization and project */
export function previewDocument(
  stack: string,
  { changes, stays, warnings }: Preview & { readonly warnings: readonly string[] },
): object {
  return { ...HEAD, result: "done", stack, changes, stays, warnings: warnings.map(findingOf) };
}

/** The document of a preview that failed. */
export function failureDocument(fault: Fault): object {
  return { ...HEAD, result: "failed", message: fault.message, findings: findingsOf(fault) };
}

/** Errors of the stack config as data; undefined for any other error. */
export function findingsOf(fault: Fault): readonly Finding[] | undefined {
  return fault instanceof SettingsFault ? fault.findings : undefined;
}
