import fc from "fast-check";
import type { Part } from "../../automation/changes/changes";
import type { Subject } from "../../automation/changes/subject";
import type { TestStack } from "../support/stack";
import type { ProvenPreview } from "./differences";
import type { Model } from "./model";

/** An edit of the stack config, and of VNF packages with it. Plain data. */
export interface Edit<Config = unknown> {
  /** From 1 on. */
  readonly number: number;
  /** Key of a rule. */
  readonly kind: string;
  /** The VNF instance, VNFC or object that it is of. */
  readonly target: string;
  readonly before: Config;
  readonly after: Config;
}

/** Edits of a kind. */
export interface Rule<Config> {
  /** Each way in which such an edit may go; none where it cannot be made. @param number of the edit */
  options(config: Config, number: number): readonly Pick<Edit<Config>, "target" | "after">[];
  /** Returns true for what the edit may touch; a preview that is true and names more is too wide. */
  mayTouch(subject: Subject, edit: Edit<Config>): boolean;
}

/** Configs of one shape, with the edits that lead from one to another. */
export interface Family<Config> {
  readonly name: string;
  /** The config that the edits begin with. */
  readonly base: Config;
  readonly rules: Readonly<Record<string, Rule<Config>>>;
  /** Writes the packages of a config into the folder of a project. @returns its `vnfm:vnfs` */
  write(folder: string, config: Config): object;
  observe(stack: TestStack): Promise<Model>;
  /** What a preview announces beside its parts: things that are no resources. @default nothing */
  implied?(preview: ProvenPreview, edit: Edit<Config>): readonly Part[];
}

/**
 * Edits, each of the config that the one before has left. They depend on the seed alone, so that any of them is known
 * without a cloud; a kind is the likelier the longer it has not come.
 */
export function editsOf<Config>(
  { base, rules }: Pick<Family<Config>, "base" | "rules">,
  seed: number,
  count: number,
): readonly Edit<Config>[] {
  const edits: Edit<Config>[] = [];
  for (let number = 1; number <= count; number += 1) {
    const before = edits.at(-1)?.after ?? base;
    const choices = Object.entries(rules).flatMap(([kind, rule]) => {
      const all = rule.options(before, number).map((option) => ({ number, kind, before, ...option }));
      const last = edits.findLast((edit) => edit.kind === kind)?.number ?? 0;
      return all.length === 0 ? [] : [{ weight: (number - last) ** 2, arbitrary: fc.constantFrom(...all) }];
    });
    // the seeds of edits that follow each other are far apart
    const [edit] = fc.sample(fc.oneof(...choices), { seed: seed + number * 0x1000193, numRuns: 1 });
    if (edit === undefined) throw new Error("fast-check has drawn nothing");
    edits.push(edit);
  }
  return edits;
}

/** An edit as a line. */
export function sayEdit({ number, kind, target }: Edit): string {
  return `edit ${number}: ${kind} ${target}`;
}
