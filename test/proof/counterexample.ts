import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { differenceText, type Difference, type ProvenPreview } from "./differences";
import type { Edit } from "./edits";
import type { Killed } from "./killed";
import type { Model, Seen } from "./model";

/** An edit whose preview differs from its effect, with all data that is needed to examine it again. */
export interface Counterexample {
  /** Name of the family of configs. */
  readonly family: string;
  readonly seed: number;
  readonly edit: Edit;
  readonly preview: ProvenPreview;
  readonly before: Model;
  readonly after: Model;
  /** Present if the run was killed. */
  readonly killed?: Killed;
  readonly differences: readonly Difference[];
  /** Subjects of the preview that the edit must not change. */
  readonly tooWide: readonly string[];
  /** Error of the run. @default it succeeded */
  readonly failure?: string;
}

/** Returns all errors of a preview, as lines. */
export function faultsOf({ differences, tooWide, failure }: Counterexample): readonly string[] {
  return [
    ...(failure === undefined ? [] : [`the run failed: ${failure}`]),
    ...differences.map(differenceText),
    ...tooWide.map((subject) => `too wide: ${subject}`),
  ];
}

/** Writes a counterexample to a file. @returns the path of the file */
export function writeCounterexample(counterexample: Counterexample): string {
  const file = join(
    mkdtempSync(join(tmpdir(), "vnfm-proof-")),
    `${counterexample.family}-seed-${counterexample.seed}-edit-${counterexample.edit.number}.json`,
  );
  const { killed } = counterexample;
  const data = {
    ...counterexample,
    ...{ before: [...counterexample.before], after: [...counterexample.after] },
    ...(killed && { killed: { ...killed, between: [...killed.between] } }),
  };
  writeFileSync(file, `${JSON.stringify(data, undefined, 2)}\n`);
  return file;
}

type WrittenModel = readonly (readonly [string, Seen])[];
type Written = Omit<Counterexample, "before" | "after" | "killed"> &
  Record<"before" | "after", WrittenModel> & {
    readonly killed?: Omit<Killed, "between"> & { readonly between: WrittenModel };
  };

export function readCounterexample(file: string): Counterexample {
  const { killed, ...data } = JSON.parse(readFileSync(file, "utf8")) as Written;
  return {
    ...data,
    ...{ before: new Map(data.before), after: new Map(data.after) },
    ...(killed && { killed: { ...killed, between: new Map(killed.between) } }),
  };
}
