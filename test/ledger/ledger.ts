/**
 * The ledger of the engine tests: the last complete run of each test, with its commit and result. A test is a file of
 * test/engine, such as `extended/heal`, or one part of a conformance file.
 */

/** Number of parts of each conformance file; a part takes about ten minutes on two cores. */
export const PARTS = 4;

export interface Entry {
  readonly test: string;
  /** Short commit hash, with a `+` at the end if there were uncommitted changes; `-` if only the time is known. */
  readonly commit: string;
  /** Date and time in UTC. */
  readonly date: string;
  /** Duration; 0 if it is unknown. */
  readonly seconds: number;
  /** Number of passed steps, and of all steps. */
  readonly passed: number;
  readonly of: number;
  /** Result; "unseen" if the run was cut off or left out steps, and no step had failed. */
  readonly result: "passed" | "failed" | "unseen";
}

const COLUMNS = ["test", "commit", "date", "seconds", "passed", "of", "result"] as const;
const RESULTS = ["passed", "failed", "unseen"] as const;

/** @throws Error at an invalid line */
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

/** Returns the text of the ledger's file, with a line for each test, sorted by name. */
export function ledgerText(entries: Iterable<Entry>): string {
  const sorted = [...entries].sort((a, b) => (a.test < b.test ? -1 : 1));
  return `${COLUMNS.join("\t")}\n${sorted.map(lineOf).join("")}`;
}

/** Returns the last entry of each test that ran to its end. */
export function lastSeen(entries: readonly Entry[]): Map<string, Entry> {
  const seen = entries.filter(({ result }) => result !== "unseen");
  const sorted = seen.sort((a, b) => (a.date < b.date ? -1 : 1));
  return new Map(sorted.map((entry) => [entry.test, entry]));
}

/** Lists the tests in files of test/engine, such as `extended/heal`. */
export function testsOf(files: readonly string[]): string[] {
  const parts = Array.from({ length: PARTS }, (_, index) => index + 1);
  return files.flatMap((file) =>
    file.startsWith("conformance/") ? parts.map((part) => `${file} part ${part}`) : [file],
  );
}

/** Path of a test's file, from the root of the repository. */
export const pathOf = (test: string): string => `test/engine/${test.replace(/ part \d+$/, "")}.test.ts`;

/** Returns the arguments of `npm run test:engine --` for a test. */
export function argumentsOf(test: string): string[] {
  const part = / part (\d+)$/.exec(test)?.[1];
  return part === undefined ? [pathOf(test)] : [pathOf(test), "-t", `part ${part} of`];
}

/** Result of a step, from Jest. */
export interface Step {
  readonly title: string;
  readonly status: string;
  readonly seconds: number;
}

type Outcome = Omit<Entry, "commit" | "date">;

/**
 * Returns the outcomes of a file's run.
 *
 * @param pattern Jest's pattern of the steps that ran. With a pattern, only parts of conformance files count as seen
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
    // each part needs the cluster, so its time includes the creation of the cluster
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

/** Lists the tests of a file that a run begins. */
export function begunOf(file: string, pattern?: string): string[] {
  if (!pattern) return testsOf([file]);
  if (!file.startsWith("conformance/")) return [];
  return testsOf([file]).filter((_, index) => new RegExp(pattern, "i").test(`part ${index + 1} of ${PARTS}`));
}

/** Returns the seconds of each test in its last timed run. */
export function timesOf(entries: readonly Entry[]): Map<string, number> {
  return new Map(entries.filter(({ seconds }) => seconds > 0).map(({ test, seconds }) => [test, seconds]));
}

/**
 * Adds booked entries to the ledger: the last complete run of each test at a commit of the branch. Tests that were
 * never seen keep their entry.
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

/** Assumed seconds of a test without a timed run. */
export const UNKNOWN = 25 * 60;

/** Factor by which a picked test may take longer than in its last run. */
const MARGIN = 1.5;

export const secondsNeeded = (seconds: number = UNKNOWN): number => seconds * MARGIN;

/**
 * Picks the test that CI runs next: of those that fit into the time, the one that was not seen for the longest time.
 *
 * @param done tests that have passed at this commit
 * @param rank breaks ties, such as among tests that were never seen
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
