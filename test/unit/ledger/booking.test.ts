import { join } from "node:path";
import { LedgerReporter } from "../../ledger/booking";
import * as repository from "../../ledger/repository";
import { REPOSITORY } from "../../support/command";

jest.mock("../../ledger/repository", () => ({
  REPOSITORY: jest.requireActual<typeof repository>("../../ledger/repository").REPOSITORY,
  book: jest.fn(),
  presentCommit: jest.fn(),
}));

const commit = jest.mocked(repository.presentCommit);
const booked = () =>
  jest
    .mocked(repository.book)
    .mock.calls.flatMap(([entries]) => entries)
    .map(({ test, commit, passed, of, result }) => [test, commit, `${result} ${passed}/${of}`].join(" "));
const file = (name: string) => ({ path: join(REPOSITORY, `test/${name}.test.ts`) });
const step = (fullName: string, status = "passed") => ({ fullName, status, duration: 10 });

beforeEach(() => {
  jest.clearAllMocks();
  commit.mockReturnValue("0123abcd");
});

it("the ledger books a file as unseen when it begins, and what it has shown when it ends", () => {
  const reporter = new LedgerReporter({});
  reporter.onTestFileStart(file("engine/long/kills"));
  expect(booked()).toEqual(["long/kills 0123abcd unseen 0/0"]);
  reporter.onTestCaseResult({}, step("a"));
  reporter.onTestFileResult({}, { testResults: [step("a"), step("b")] });
  expect(booked().slice(1)).toEqual(["long/kills 0123abcd passed 2/2"]);
});

it("the ledger books a step that fails at once, as the run may be ended for it", () => {
  const reporter = new LedgerReporter({});
  reporter.onTestFileStart(file("engine/conformance/a"));
  reporter.onTestCaseResult({}, step("passes, part 2 of 4", "failed"));
  expect(booked().slice(4)).toEqual(["conformance/a part 2 0123abcd failed 0/0"]);
});

it("the ledger books what was changed while it ran as a run with changes", () => {
  const reporter = new LedgerReporter({});
  reporter.onTestFileStart(file("engine/long/kills"));
  commit.mockReturnValue("89abcdef");
  reporter.onTestFileResult({}, { testResults: [step("a")] });
  expect(booked()[1]).toBe("long/kills 0123abcd+ passed 1/1");
});

it("the ledger books nothing of a file's single steps, and of unit tests", () => {
  const single = new LedgerReporter({ testNamePattern: "a" });
  single.onTestFileStart(file("engine/long/kills"));
  single.onTestCaseResult({}, step("a", "failed"));
  single.onTestFileResult({}, { testResults: [step("a"), step("b", "pending")] });
  const unit = new LedgerReporter({});
  unit.onTestFileStart(file("unit/yaml"));
  unit.onTestFileResult({}, { testResults: [step("a")] });
  expect(booked()).toEqual([]);
});
