import type { Entry } from "../../ledger/ledger";
import { rowsOf, seenOf, withSeen } from "../../ledger/tables";

const entry = (test: string, day: number, result: Entry["result"] = "passed"): [string, Entry] => [
  test,
  { test, commit: "0123abcd", date: `2026-11-${day} 10:00:00`, seconds: 1, passed: 1, of: 1, result },
];
const parts = [21, 22, 23, 24].map((day, index) => entry(`conformance/a part ${index + 1}`, day));
const seen = new Map([entry("long/a", 27), entry("long/b", 26), entry("long/red", 25, "failed"), ...parts]);
const hadStep = (_: Entry, step: string) => step !== "younger";
const named = (...tests: string[]) => tests.map((test) => ({ test, step: "step" }));

it.each([
  ["its day", "2026-11-27", named("long/a")],
  ["the oldest day of several", "2026-11-26", named("long/a", "long/b")],
  ["the oldest day of the parts", "2026-11-21", named("conformance/a")],
  ["that one has failed", "failed 2026-11-25", named("long/red", "long/c")],
  ["that one was not seen yet", "not yet", named("long/a", "long/c")],
  ["that a step came later", "not yet", [{ test: "long/a", step: "younger" }]],
  ["that it is seen with every run", "every run", named("unit/plan", "core/lifecycle")],
  ["nothing where there is no test", "", []],
])("the table says of a row %s", (_, expected, tests) => {
  expect(seenOf(tests, seen, hadStep)).toBe(expected);
});

it("the table writes the column of the tables that have it, and nothing else", () => {
  const page = [
    "| feature | test |",
    "| --- | --- |",
    '| a | `long/a` "step" |',
    "",
    "| feature | here (setting) | test | seen |",
    "| --- | --- | --- | --- |",
    '| b | `set` | `long/a` "step" | never |',
    "| c | no | | |",
    "",
    "text",
  ];
  expect(withSeen(page.join("\n"), seen, hadStep).split("\n")).toEqual(
    page.with(6, '| b | `set` | `long/a` "step" | 2026-11-27 |').with(7, "| c | no |  |  |"),
  );
  expect(rowsOf(page.join("\n"))[0]).toEqual({
    feature: "b",
    here: "`set`",
    tests: [{ test: "long/a", step: "step" }],
    seen: "never",
  });
});
