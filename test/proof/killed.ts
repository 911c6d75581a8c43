import fc from "fast-check";
import { differences, type Difference, type ProvenPreview } from "./differences";
import { modelOf, textOf, type Model } from "./model";

/** A run that was killed and recovered, and the next one, which ended what it had begun. */
export interface Killed {
  /** After how many changes of the state. */
  readonly changes: number;
  /** What there was after `vnfm recover`. */
  readonly between: Model;
  /** Of what was half done. */
  readonly preview: ProvenPreview;
}

/** Each so many edits one is killed. */
const EVERY = 5;

/**
 * The number of changes of the state after which the run of an edit is killed: an engine that makes or deletes something
 * writes the state before and after it. @returns undefined for an edit that is not killed
 */
export function changesBeforeKill(
  seed: number,
  number: number,
  { changes }: ProvenPreview,
): number | undefined {
  const most = 2 * changes.flatMap(({ parts }) => parts).length;
  if (number % EVERY !== 0 || most === 0) return undefined;
  const [drawn] = fc.sample(fc.integer({ min: 1, max: most }), { seed: seed + number, numRuns: 1 });
  return drawn;
}

/** What a script has begun on a node goes on after a kill: a Node may join between two looks at the cluster. */
const ofScripts = ({ subject }: Difference): boolean => subject.startsWith("object Node ");

/** Returns true for an object that was applied before the kill: the second run applies it again, and nothing changes. */
const isAppliedTwice = ({ kind, subject, effect }: Difference): boolean =>
  subject.startsWith("object ") && kind === "not kept" && effect === "same";

/** The text of a subject without the number that a second thing of it has. */
const withoutNumber = (subject: string): string => subject.replace(/ #\d+$/, "");

/**
 * Leaves out things that were replaced when the run was killed, and not deleted yet: of the second preview their
 * `discard`, of the model between the runs the things themselves. If the second run does not delete such a thing, the last
 * model has two of its subject, which is a difference.
 */
function withoutDiscarded(
  second: ProvenPreview,
  before: Model,
  between: Model,
): { readonly preview: ProvenPreview; readonly model: Model } {
  const isReplaced = (text: string): boolean => {
    const things = [...between.values()].filter(({ subject }) => textOf(subject) === text);
    return things.length > 1 && things.some(({ identity }) => identity === before.get(text)?.identity);
  };
  const parts = second.changes.flatMap((change) => change.parts);
  const discarded = parts.filter(
    ({ action, subject }) => action === "discard" && isReplaced(textOf(subject)),
  );
  const texts = new Set(discarded.map(({ subject }) => textOf(subject)));
  const left = [...between.values()].filter(({ subject, identity }) => {
    const text = textOf(subject);
    return !texts.has(text) || identity !== before.get(text)?.identity;
  });
  return {
    preview: { changes: [{ parts: parts.filter((part) => !discarded.includes(part)) }] },
    model: modelOf(left),
  };
}

/** Holds both previews of a run that was killed against the cloud: in the middle, from there on, and over both. */
export function differencesOfKilled(
  first: ProvenPreview,
  { preview: second, between }: Killed,
  before: Model,
  after: Model,
): readonly Difference[] {
  const known = new Set(first.changes.flatMap(({ parts }) => parts.map(({ subject }) => textOf(subject))));
  const both = { changes: [...first.changes, ...second.changes] };
  const rest = withoutDiscarded(second, before, between);
  return [
    ...differences({ changes: [] }, before, between).filter(
      ({ subject }) => !known.has(withoutNumber(subject)),
    ),
    ...differences(rest.preview, rest.model, after).filter(
      (one) => !ofScripts(one) && !(known.has(one.subject) && isAppliedTwice(one)),
    ),
    ...differences(both, before, after),
  ];
}
