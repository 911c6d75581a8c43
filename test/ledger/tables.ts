/** The column `seen` of the tables of features: the last run of a row's tests, from the ledger. */
import { testsOf, type Entry } from "./ledger";

/** A test in a row, and the quoted words of its step. */
export interface Named {
  readonly test: string;
  readonly step: string | undefined;
}

export interface Row {
  readonly feature: string;
  readonly here: string;
  readonly tests: readonly Named[];
  readonly seen: string;
}

/** Pages with tables of features. */
export const PAGES = ["docs/cluster-features.md", "docs/vnf-features.md", "docs/specifications.md"];

const HEAD = /^\| [^|]+\| here[^|]*\| test +\| seen +\|$/;

/** Returns the rows, with line numbers, of tables with the columns `test` and `seen`. */
function linesOf(page: string): { line: number; cells: string[] }[] {
  const lines = page.split("\n");
  return lines.flatMap((head, start) => {
    if (!HEAD.test(head)) return [];
    const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
    return lines.slice(start + 2, start + length).map((text, index) => ({
      line: start + 2 + index,
      cells: text.split("|").map((cell) => cell.trim()),
    }));
  });
}

export function rowsOf(page: string): Row[] {
  return linesOf(page).map(({ cells: [, feature = "", here = "", tests = "", seen = ""] }) => ({
    feature,
    here,
    tests: [...tests.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)].map(([, test = "", step]) => ({ test, step })),
    seen,
  }));
}

/** Returns true if a test had the step at the commit of its last run. */
type HadStep = (entry: Entry, step: string) => boolean;

/** Returns the cell `seen` of a row: the oldest or worst result among its steps. */
export function seenOf(tests: readonly Named[], seen: ReadonlyMap<string, Entry>, hadStep: HadStep): string {
  const dated = tests.filter(({ test }) => !/^(unit|core)\//.test(test));
  if (dated.length === 0) return tests.length === 0 ? "" : "every run";
  const entries = dated.flatMap(({ test, step }) =>
    testsOf([test]).map((name) => {
      const entry = seen.get(name);
      return entry !== undefined && hadStep(entry, step ?? "") ? entry : undefined;
    }),
  );
  const failed = entries.find((entry) => entry?.result === "failed");
  if (failed !== undefined) return `failed ${dayOf(failed)}`;
  const days = entries.flatMap((entry) => (entry === undefined ? [] : [dayOf(entry)]));
  return days.length < entries.length ? "not yet" : days.sort()[0]!;
}

const dayOf = ({ date }: Entry): string => date.slice(0, 10);

/** Fills the column `seen` of a page from the ledger. Prettier adjusts the column's width. */
export function withSeen(page: string, seen: ReadonlyMap<string, Entry>, hadStep: HadStep): string {
  const lines = page.split("\n");
  const rows = rowsOf(page);
  for (const [index, { line, cells }] of linesOf(page).entries()) {
    lines[line] = `| ${[...cells.slice(1, 4), seenOf(rows[index]!.tests, seen, hadStep)].join(" | ")} |`;
  }
  return lines.join("\n");
}
