import fc from "fast-check";
import { differences, type Difference, type ProvenPreview } from "./differences";
import { modelOf, textOf, type Model } from "./model";

/** A run that was killed and recovered, and the second run, which completed it. */
export interface Killed {
  /** Number of changes of the state before the kill. */
  readonly changes: number;
  /** Observation after `vnfm recover`. */
  readonly between: Model;
  /** Preview of the second run. */
  readonly preview: ProvenPreview;
}

/** One of so many edits is killed. */
const EVERY = 5;

/**
 * Returns the number of changes of the state after which the run of an edit is killed. The engine writes the state
 * before and after each creation and deletion. @returns undefined for an edit that is not killed
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

/** A script on a node continues after a kill, so a Node may join between two observations. */
const ofScripts = ({ subject }: Difference): boolean => subject.startsWith("object Node ");

/** Returns true for the metadata of a server, which the provider never reads: only the state says if it was sent. */
const isMetadata = ({ subject, announced }: Difference): boolean =>
  subject.endsWith(" server") &&
  announced.flatMap(({ differs = ["all"] }) => differs).every((property) => /^metadata\b/.test(property));

/** Returns true for an object or metadata that was sent before the kill: the second run repeats it, without a change. */
const isRepeated = (one: Difference): boolean =>
  (one.subject.startsWith("object ") || isMetadata(one)) && one.kind === "not kept" && one.effect === "same";

/** Returns the text of a subject without its number, which tells several resources of the subject apart. */
const withoutNumber = (subject: string): string => subject.replace(/ #\d+$/, "");

/**
 * Leaves out resources that had been replaced, but not deleted yet, when the run was killed: their `discard` in the
 * second preview, and themselves in the model between the runs. If the second run does not delete such a resource, the
 * last model has two resources of this subject, which is a difference.
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

/**
 * Returns the texts of resources that the killed run had deleted, and not created again yet: the second preview says
 * that they are replaced, as the engine goes on with the replacement, and they appear.
 */
function halfReplaced(first: ProvenPreview, before: Model, between: Model): ReadonlySet<string> {
  const parts = first.changes.flatMap((change) => change.parts);
  const replaced = parts.filter(({ action }) => action === "replace").map(({ subject }) => textOf(subject));
  return new Set(replaced.filter((text) => before.has(text) && !between.has(text)));
}

/** Returns a preview in which the replacements of some resources are creations. */
function asCreated({ changes }: ProvenPreview, texts: ReadonlySet<string>): ProvenPreview {
  return {
    changes: changes.map(({ parts }) => ({
      parts: parts.map((part) =>
        part.action === "replace" && texts.has(textOf(part.subject))
          ? { ...part, action: "create" as const }
          : part,
      ),
    })),
  };
}

/** Compares both previews of a killed run with the cloud: up to the kill, after it, and over both runs. */
export function differencesOfKilled(
  first: ProvenPreview,
  { preview: second, between }: Killed,
  before: Model,
  after: Model,
): readonly Difference[] {
  const known = new Set(first.changes.flatMap(({ parts }) => parts.map(({ subject }) => textOf(subject))));
  const both = { changes: [...first.changes, ...second.changes] };
  const half = halfReplaced(first, before, between);
  const rest = withoutDiscarded(asCreated(second, half), before, between);
  // a port is without a server while that is half replaced
  const isWithoutServer = ({ subject, fields }: Difference): boolean =>
    fields.join() === "server" && half.has(String(before.get(subject)?.fields["server"]));
  return [
    ...differences({ changes: [] }, before, between).filter(
      (one) => !known.has(withoutNumber(one.subject)) && !isWithoutServer(one),
    ),
    ...differences(rest.preview, rest.model, after).filter(
      (one) => !ofScripts(one) && !isWithoutServer(one) && !(known.has(one.subject) && isRepeated(one)),
    ),
    ...differences(both, before, after),
  ];
}
