import fc from "fast-check";
import type { Part } from "../../automation/changes/changes";
import type { Subject } from "../../automation/changes/subject";
import type { TestStack } from "../support/stack";
import type { ProvenPreview } from "./differences";
import type { Model } from "./model";

/** An edit of the stack config, and of VNF packages, as plain data. */
export interface Edit<Config = unknown> {
  /** Number of the edit, from 1. */
  readonly number: number;
  /** Key of a rule. */
  readonly kind: string;
  /** The VNF instance, VNFC or object that it changes. */
  readonly target: string;
  readonly before: Config;
  readonly after: Config;
}

/** A kind of edits. */
export interface Rule<Config> {
  /** Lists the possible edits of this kind; none if it is impossible. @param number number of the edit */
  options(config: Config, number: number): readonly Pick<Edit<Config>, "target" | "after">[];
  /** Returns true for a subject that the edit may change. A correct preview with other subjects is too wide. */
  mayTouch(subject: Subject, edit: Edit<Config>): boolean;
}

/** Configs of one form, with the edits that lead from one to another. */
export interface Family<Config> {
  readonly name: string;
  /** Config before the first edit. */
  readonly base: Config;
  readonly rules: Readonly<Record<string, Rule<Config>>>;
  /** Writes the packages of a config into the folder of a project. @returns its `vnfm:vnfs` */
  write(folder: string, config: Config): object;
  observe(stack: TestStack): Promise<Model>;
  /** Changes that a preview implies without a part, of objects that are not resources. @default none */
  implied?(preview: ProvenPreview, edit: Edit<Config>): readonly Part[];
}

/**
 * Draws edits, each of the config after the edit before it. They depend only on the seed, so they are known without a
 * cloud. The longer a kind was not drawn, the likelier it is.
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
    // seeds of consecutive edits must be far apart
    const [edit] = fc.sample(fc.oneof(...choices), { seed: seed + number * 0x1000193, numRuns: 1 });
    if (edit === undefined) throw new Error("fast-check has drawn nothing");
    edits.push(edit);
  }
  return edits;
}

/** Returns an edit as a line of text. */
export function editText({ number, kind, target }: Edit): string {
  return `edit ${number}: ${kind} ${target}`;
}
