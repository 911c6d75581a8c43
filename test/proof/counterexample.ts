import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sayDifference, type Difference, type ProvenPreview } from "./differences";
import type { Edit } from "./edits";
import type { Model, Seen } from "./model";

/** An edit whose preview and effect did not agree, with all that it takes to look at it again. */
export interface Counterexample {
  /** Name of the family of its configs. */
  readonly family: string;
  readonly seed: number;
  readonly edit: Edit;
  readonly preview: ProvenPreview;
  readonly before: Model;
  readonly after: Model;
  readonly differences: readonly Difference[];
  /** Subjects of the preview that the edit may not touch. */
  readonly tooWide: readonly string[];
  /** Why the run failed. @default it went well */
  readonly failure?: string;
}

/** All that is wrong with a preview, as lines. */
export function faultsOf({ differences, tooWide, failure }: Counterexample): readonly string[] {
  return [
    ...(failure === undefined ? [] : [`the run failed: ${failure}`]),
    ...differences.map(sayDifference),
    ...tooWide.map((subject) => `too wide: ${subject}`),
  ];
}

/** @returns the path of the file */
export function writeCounterexample(its: Counterexample): string {
  const file = join(
    mkdtempSync(join(tmpdir(), "vnfm-proof-")),
    `${its.family}-seed-${its.seed}-edit-${its.edit.number}.json`,
  );
  const data = { ...its, before: [...its.before], after: [...its.after] };
  writeFileSync(file, `${JSON.stringify(data, undefined, 2)}\n`);
  return file;
}

type Written = Omit<Counterexample, "before" | "after"> &
  Record<"before" | "after", readonly (readonly [string, Seen])[]>;

export function readCounterexample(file: string): Counterexample {
  const data = JSON.parse(readFileSync(file, "utf8")) as Written;
  return { ...data, before: new Map(data.before), after: new Map(data.after) };
}
