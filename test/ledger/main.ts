/**
 * The ledger of the engine tests, test/ledger.tsv, and the runs booked on this machine since:
 *   npm run ledger                         prints failed tests, those longest unseen, and the commits since their runs
 *   npm run ledger -- take                 adds the booked runs to the ledger, and their dates to the tables of docs/
 *   npm run ledger -- next SECONDS DONE... prints the test that CI runs next in that time, as arguments of test:engine
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  argumentsOf,
  lastSeen,
  ledgerText,
  pick,
  secondsNeeded,
  taken,
  testsOf,
  timesOf,
  UNKNOWN,
  type Entry,
} from "./ledger";
import {
  buildsMore,
  commitsSince,
  engineFiles,
  hadStep,
  isOfBranch,
  LEDGER,
  presentCommit,
  readBooked,
  readLedger,
  REPOSITORY,
} from "./repository";
import { PAGES, withSeen } from "./tables";

/** Seconds of CI for further tests after the core. */
const ROOM = 25 * 60;

const tests = testsOf(engineFiles());

function show(): void {
  const booked = readBooked();
  const lines = [...taken(readLedger(), booked, isOfBranch).values()];
  const seen = lastSeen(lines);
  const times = timesOf(lines);
  const coldTimes = timesWithBuilds(times);
  const cutOff = new Map(booked.map((entry) => [entry.test, entry]));
  const key = (test: string) =>
    `${seen.get(test)?.result === "failed" ? 0 : 1} ${seen.get(test)?.date ?? ""}`;
  const rows = [...tests]
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((test) => {
      const entry = seen.get(test);
      const last = cutOff.get(test);
      const seconds = times.get(test);
      return [
        test,
        ...(entry === undefined ? ["unseen", "", "", ""] : columnsOf(entry)),
        seconds === undefined ? "" : (seconds / 60).toFixed(1),
        [
          ...(last?.result === "unseen" ? [`cut off ${last.date}`] : []),
          ...(last?.commit.endsWith("+") ? [`${last.result} with changes ${last.date}`] : []),
          ...(secondsNeeded(coldTimes.get(test)) > ROOM ? ["too long for CI"] : []),
        ].join(", "),
      ];
    });
  print([["test", "result", "seen", "commit", "commits since", "minutes", ""], ...rows]);
}

function columnsOf(entry: Entry): string[] {
  const { result, passed, of, date, commit } = entry;
  return [`${result} ${passed}/${of}`, date, commit, String(commitsSince(entry) ?? "?")];
}

function print(rows: readonly string[][]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    );
}

function take(): void {
  const before = readLedger();
  // a deleted file has no line
  const lines = [...taken(before, readBooked(), isOfBranch).values()].filter(({ test }) =>
    tests.includes(test),
  );
  writeFileSync(LEDGER, ledgerText(lines));
  for (const page of PAGES) {
    const file = join(REPOSITORY, page);
    writeFileSync(file, withSeen(readFileSync(file, "utf8"), lastSeen(lines), hadStep));
  }
  execFileSync("npx", ["prettier", "--write", "--log-level=warn", ...PAGES], {
    cwd: REPOSITORY,
    stdio: "inherit",
  });
  const known = new Set(before.map((entry) => entry.date + entry.test));
  for (const entry of lines.filter(({ test, date }) => !known.has(date + test)))
    console.log(`${entry.test}: ${entry.result} ${entry.passed}/${entry.of} at ${entry.commit}`);
}

/** Seconds to build additions of the lab, such as Cluster API or another Kubernetes version. */
const BUILDS = 25 * 60;

/** Returns the times on a machine that has built nothing yet; the ledger has times without builds. */
function timesWithBuilds(times: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(tests.map((test) => [test, (times.get(test) ?? UNKNOWN) + (buildsMore(test) ? BUILDS : 0)]));
}

function next(seconds: number, done: readonly string[]): void {
  const commit = presentCommit();
  const entries = [...readLedger(), ...readBooked()];
  const seen = lastSeen(entries);
  const passed = [...seen.values()].filter((entry) => entry.commit === commit && entry.result === "passed");
  const rank = (test: string) => createHash("sha256").update(`${commit} ${test}`).digest("hex");
  const over = new Set([...done, ...passed.map(({ test }) => test)]);
  const test = pick(tests, seen, timesWithBuilds(timesOf(entries)), seconds, over, rank);
  if (test !== undefined) console.log([test, ...argumentsOf(test)].join("\n"));
}

const [verb, ...args] = process.argv.slice(2);
if (verb === undefined) show();
else if (verb === "take" && args.length === 0) take();
else if (verb === "next" && Number.isInteger(Number(args[0]))) next(Number(args[0]), args.slice(1));
else {
  console.error("usage: npm run ledger [-- take | -- next SECONDS DONE...]");
  process.exitCode = 2;
}
