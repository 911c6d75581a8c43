/**
 * The ledger of the engine tests: when each was last seen to run whole, at which commit, and how it ended. A test is a
 * file of test/engine, such as `extended/heal`, or one part of a conformance file.
 */

/** The parts of each conformance file; one takes some ten minutes on two cores. */
export const PARTS = 4;

export interface Entry {
  readonly test: string;
  /** Short; `-` where nothing is seen but a time is known; with a `+` behind it where the work tree had changes that are not committed. */
  readonly commit: string;
  /** In UTC. */
  readonly date: string;
  /** 0 where that is not known. */
  readonly seconds: number;
  /** Steps, of all that the test has. */
  readonly passed: number;
  readonly of: number;
  /** Nothing is seen of a run that was cut off, ended by a person, or left steps out, where none had failed before. */
  readonly result: "passed" | "failed" | "unseen";
}

const COLUMNS = ["test", "commit", "date", "seconds", "passed", "of", "result"] as const;
const RESULTS = ["passed", "failed", "unseen"] as const;

/** @throws Error at a line that is none of a ledger */
export function parseLedger(text: string): Entry[] {
  const lines = text.split("\n").filter((line) => line !== "" && line !== COLUMNS.join("\t"));
  return lines.map((line) => {
    const [test = "", commit = "", date = "", ...others] = line.split("\t");
    const [seconds, passed, of] = others.slice(0, 3).map(Number);
    const result = RESULTS.find((name) => name === others[3]);
    if (result === undefined || ![seconds, passed, of].every(Number.isInteger))
      throw new Error(`no line of a ledger: ${line}`);
    return { test, commit, date, seconds: seconds!, passed: passed!, of: of!, result };
  });
}

export const lineOf = (entry: Entry): string => `${COLUMNS.map((column) => entry[column]).join("\t")}\n`;

/** The ledger as a file: a line for each test, by name. */
export function ledgerText(entries: Iterable<Entry>): string {
  const sorted = [...entries].sort((a, b) => (a.test < b.test ? -1 : 1));
  return `${COLUMNS.join("\t")}\n${sorted.map(lineOf).join("")}`;
}

/** The last of the entries of each test that ran to its end; one that never did is not there. */
export function lastSeen(entries: readonly Entry[]): Map<string, Entry> {
  const seen = entries.filter(({ result }) => result !== "unseen");
  const sorted = seen.sort((a, b) => (a.date < b.date ? -1 : 1));
  return new Map(sorted.map((entry) => [entry.test, entry]));
}

/** The tests of the files of test/engine, such as `extended/heal`. */
export function testsOf(files: readonly string[]): string[] {
  const parts = Array.from({ length: PARTS }, (_, index) => index + 1);
  return files.flatMap((file) =>
    file.startsWith("conformance/") ? parts.map((part) => `${file} part ${part}`) : [file],
  );
}

/** The file of a test, from the root of the repository. */
export const pathOf = (test: string): string => `test/engine/${test.replace(/ part \d+$/, "")}.test.ts`;

/** Arguments of `npm run test:engine --` for a test. */
export function argumentsOf(test: string): string[] {
  const part = / part (\d+)$/.exec(test)?.[1];
  return part === undefined ? [pathOf(test)] : [pathOf(test), "-t", `part ${part} of`];
}

/** A step, as Jest reports it. */
export interface Step {
  readonly title: string;
  readonly status: string;
  readonly seconds: number;
}

type Outcome = Omit<Entry, "commit" | "date">;

/**
 * Outcomes of a run of a file.
 *
 * @param pattern of the names of the steps that ran; with one, only parts of conformance are seen
 */
export function outcomesOf(
  file: string,
  seconds: number,
  steps: readonly Step[],
  pattern?: string,
): Outcome[] {
  const [whole = "", ...parts] = testsOf([file]);
  if (parts.length === 0) return pattern ? [] : [outcomeOf(whole, seconds, steps)];
  const inParts = steps.reduce((sum, step) => sum + step.seconds, 0);
  return [whole, ...parts].flatMap((test, index) => {
    const own = steps.filter(({ title }) => title.includes(`part ${index + 1} of`));
    if (!own.some(({ status }) => ["passed", "failed"].includes(status))) return [];
    // a part needs the cluster that the others have shared with it
    const others = inParts - own.reduce((sum, step) => sum + step.seconds, 0);
    return [outcomeOf(test, seconds - others, own)];
  });
}

function outcomeOf(test: string, seconds: number, steps: readonly Step[]): Outcome {
  const passed = steps.filter(({ status }) => status === "passed").length;
  const hasFailed = steps.length === 0 || steps.some(({ status }) => status === "failed");
  const result = hasFailed ? "failed" : passed === steps.length ? "passed" : "unseen";
  return { test, seconds: Math.round(seconds), passed, of: steps.length, result };
}

/** The tests of a file that a run begins. */
export function begunOf(file: string, pattern?: string): string[] {
  if (!pattern) return testsOf([file]);
  if (!file.startsWith("conformance/")) return [];
  return testsOf([file]).filter((_, index) => new RegExp(pattern, "i").test(`part ${index + 1} of ${PARTS}`));
}

/** How long each test took when it was last timed, in seconds. */
export function timesOf(entries: readonly Entry[]): Map<string, number> {
  return new Map(entries.filter(({ seconds }) => seconds > 0).map(({ test, seconds }) => [test, seconds]));
}

/**
 * The ledger with the booked entries that may stand in it: each test's last whole run of a commit that the branch has.
 * A test that was never seen stays as it is.
 */
export function taken(
  ledger: readonly Entry[],
  booked: readonly Entry[],
  isOfBranch: (commit: string) => boolean,
): Map<string, Entry> {
  const proofs = booked.filter(({ commit, result }) => result !== "unseen" && isOfBranch(commit));
  const lines = new Map(ledger.map((entry) => [entry.test, entry]));
  const times = timesOf([...ledger, ...proofs]);
  for (const [test, entry] of lastSeen([...ledger, ...proofs]))
    lines.set(test, { ...entry, seconds: entry.seconds || (times.get(test) ?? 0) });
  return lines;
}

/** Seconds of a test that nobody has timed. */
export const UNKNOWN = 25 * 60;

/** A test that is picked may take this much longer than it last did. */
const MARGIN = 1.5;

export const secondsNeeded = (seconds: number = UNKNOWN): number => seconds * MARGIN;

/**
 * The test that CI runs next: of those that fit into its time, the one that was not seen for the longest time.
 *
 * @param done the tests that this commit was seen to pass
 * @param rank breaks ties, such as among tests that nobody has seen
 */
export function pick(
  tests: readonly string[],
  seen: ReadonlyMap<string, Entry>,
  times: ReadonlyMap<string, number>,
  secondsLeft: number,
  done: ReadonlySet<string>,
  rank: (test: string) => string,
): string | undefined {
  const key = (test: string) => `${seen.get(test)?.date ?? ""} ${rank(test)}`;
  const [first] = tests
    .filter((test) => !done.has(test) && secondsNeeded(times.get(test)) <= secondsLeft)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return first;
}
