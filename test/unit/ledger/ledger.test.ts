import {
  argumentsOf,
  begunOf,
  lastSeen,
  ledgerText,
  outcomesOf,
  parseLedger,
  pick,
  taken,
  testsOf,
  timesOf,
  type Entry,
} from "../../ledger/ledger";
import { buildsMore } from "../../ledger/repository";

const entry = (test: string, changes: Partial<Entry> = {}): Entry => ({
  ...{
    test,
    commit: "0123abcd",
    date: "2026-11-28 10:00:00",
    seconds: 60,
    passed: 3,
    of: 3,
    result: "passed",
  },
  ...changes,
});
const step = (title: string, status = "passed", seconds = 1) => ({ title, status, seconds });

test.each([
  ["core/lifecycle", false],
  // `--path` builds nothing that a lab has not
  ["extended/heal", false],
  ["extended/cluster-api", true],
  ["extended/old-vim", true],
  ["extended/languages", true],
  ["long/upgrade", true],
  ["machine/machine", true],
])("the time of a test has that of its builds: %s", (test, expected) => {
  expect(buildsMore(test)).toBe(expected);
});

describe("the file", () => {
  it("has a line for each test, by name, and reads as it was written", () => {
    const entries = [entry("long/kills", { result: "failed", passed: 2 }), entry("extended/ha")];
    const text = ledgerText(entries);
    expect(text.split("\n").slice(0, 2)).toEqual([
      "test\tcommit\tdate\tseconds\tpassed\tof\tresult",
      "extended/ha\t0123abcd\t2026-11-28 10:00:00\t60\t3\t3\tpassed",
    ]);
    expect(parseLedger(text)).toEqual(entries.reverse());
  });

  it.each(["a\tb", "a\tb\tc\t1\t1\t1\tgreen", "a\tb\tc\tx\t1\t1\tpassed"])("refuses the line %j", (line) => {
    expect(() => parseLedger(line)).toThrow(`no line of a ledger: ${line}`);
  });
});

describe("the outcome of a file", () => {
  it.each([
    ["passed", [step("a"), step("b")], 2],
    ["failed", [step("a"), step("b", "failed")], 1],
    ["failed, though steps were left out", [step("a", "failed"), step("b", "pending")], 0],
    ["unseen where a step was left out", [step("a"), step("b", "pending")], 1],
    ["failed where the file could not be loaded", [], 0],
  ])("is %s", (result, steps, passed) => {
    expect(outcomesOf("long/kills", 12.4, steps)).toEqual([
      { test: "long/kills", seconds: 12, passed, of: steps.length, result: result.split(/[ ,]/)[0] },
    ]);
  });

  it("is none where only some of its steps were asked for", () => {
    expect(outcomesOf("long/kills", 12, [step("a"), step("b", "pending")], "a")).toEqual([]);
    expect(begunOf("long/kills", "a")).toEqual([]);
  });

  it("is one for each part of a conformance file that ran, with the time of its cluster", () => {
    const parts = [1, 2, 3, 4].map((part) => step(`passes, part ${part} of 4`, "passed", part * 100));
    const all = outcomesOf("conformance/a", 1300, parts);
    expect(all.map(({ test, seconds }) => [test, seconds])).toEqual([
      ["conformance/a part 1", 400],
      ["conformance/a part 2", 500],
      ["conformance/a part 3", 600],
      ["conformance/a part 4", 700],
    ]);
    const third = parts.map((part, index) =>
      index === 2 ? part : { ...part, status: "pending", seconds: 0 },
    );
    expect(outcomesOf("conformance/a", 600, third, "part 3 of")).toEqual([
      { test: "conformance/a part 3", seconds: 600, passed: 1, of: 1, result: "passed" },
    ]);
    expect(begunOf("conformance/a", "part 3 of")).toEqual(["conformance/a part 3"]);
  });
});

it("a test is run by its file, a part of a conformance file by its name", () => {
  expect(argumentsOf("long/hardening")).toEqual(["test/engine/long/hardening.test.ts"]);
  expect(argumentsOf("conformance/a part 2")).toEqual([
    "test/engine/conformance/a.test.ts",
    "-t",
    "part 2 of",
  ]);
});

it("a run that was cut off leaves what was seen before", () => {
  const later = { date: "2026-11-29 10:00:00" };
  const seen = lastSeen([
    entry("a"),
    entry("a", { ...later, result: "unseen" }),
    entry("b", later),
    entry("b", { result: "failed" }),
    entry("c", { result: "unseen" }),
  ]);
  expect([...seen.values()]).toEqual([entry("a"), entry("b", later)]);
});

describe("what is taken into the ledger", () => {
  const later = { date: "2026-11-29 10:00:00", commit: "89abcdef" };
  const isOfBranch = (commit: string) => /^[0-9a-f]+$/.test(commit) && commit !== "99999999";
  const take = (...booked: Entry[]) => [...taken([entry("a")], booked, isOfBranch).values()];

  it("is each test's last run", () => {
    const failed = entry("a", { ...later, result: "failed", passed: 1 });
    expect(take(entry("b"), failed)).toEqual([failed, entry("b")]);
  });

  it.each([
    ["with changes that are not committed", { commit: "89abcdef+" }],
    ["of a commit of another branch", { commit: "99999999" }],
    ["that was cut off", { result: "unseen" as const }],
    ["that is older", { date: "2026-11-27 10:00:00" }],
  ])("is no run %s", (_, changes) => {
    expect(take(entry("a", { ...later, ...changes }))).toEqual([entry("a")]);
  });

  it("keeps the time of a test that was ended after a step had failed", () => {
    const ended = entry("a", { ...later, result: "failed", seconds: 0, passed: 0, of: 0 });
    expect(take(ended)).toEqual([{ ...ended, seconds: 60 }]);
  });
});

describe("what CI runs next", () => {
  const minutes = (count: number) => count * 60;
  const entries = [
    entry("new", { date: "2026-11-28 10:00:00", seconds: minutes(10) }),
    entry("old", { date: "2026-11-20 10:00:00", seconds: minutes(20) }),
    entry("older", { date: "2026-11-10 10:00:00", seconds: minutes(40) }),
    entry("timed", { commit: "-", date: "-", seconds: minutes(5), result: "unseen" }),
  ];
  const next = (left: number, ...done: string[]) =>
    pick(
      [...entries.map(({ test }) => test), "unknown"],
      lastSeen(entries),
      timesOf(entries),
      minutes(left),
      new Set(done),
      (test) => test,
    );

  it("is what was never seen, then what is longest unseen", () => {
    expect(next(100)).toBe("timed");
    expect(next(100, "timed")).toBe("unknown");
    expect(next(100, "timed", "unknown")).toBe("older");
    expect(next(100, "timed", "unknown", "older")).toBe("old");
  });

  it("fits into the time that is left, with a margin of a half; an unknown one takes 25 minutes", () => {
    expect(next(37, "timed")).toBe("old");
    expect(next(38, "timed")).toBe("unknown");
    expect(next(59, "timed", "unknown")).toBe("old");
    expect(next(60, "timed", "unknown")).toBe("older");
    expect(next(14, "timed")).toBeUndefined();
    expect(next(-3)).toBeUndefined();
  });

  it("is nothing once all of them are done", () => {
    expect(next(100, "timed", "unknown", "older", "old", "new")).toBeUndefined();
  });
});

it("conformance files are tests in four parts, others are one", () => {
  expect(testsOf(["conformance/a", "long/b"])).toEqual([
    ...[1, 2, 3, 4].map((part) => `conformance/a part ${part}`),
    "long/b",
  ]);
});
