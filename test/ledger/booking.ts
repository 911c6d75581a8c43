import { join, relative } from "node:path";
import { begunOf, outcomesOf, type Entry, type Step } from "./ledger";
import { book, presentCommit, REPOSITORY } from "./repository";

/** Result of a step, as Jest reports it. */
interface Case {
  readonly fullName: string;
  readonly status: string;
  readonly duration?: number | null;
}

interface Run {
  readonly file: string;
  readonly commit: string;
  readonly began: number;
}

/**
 * Jest reporter that books the results of each file of test/engine: "unseen" at its start, which stays if the run is
 * cut off; a failed step at once; all results at the end of the file.
 */
export class LedgerReporter {
  readonly #pattern: string | undefined;
  #run: Run | undefined;

  constructor({ testNamePattern }: { readonly testNamePattern?: string }) {
    this.#pattern = testNamePattern;
  }

  onTestFileStart({ path }: { readonly path: string }): void {
    const file = relative(join(REPOSITORY, "test/engine"), path).replace(/\.test\.ts$/, "");
    // the times of fuzzers with FUZZ_SECONDS would be too long for CI
    if (file.startsWith("..") || process.env["FUZZ_SECONDS"]) return;
    this.#run = { file, commit: presentCommit(), began: Date.now() };
    this.#begun("unseen");
  }

  onTestCaseResult(_file: unknown, { status, fullName }: Case): void {
    if (status !== "failed") return;
    const part = /part \d+ of/.exec(fullName)?.[0];
    this.#begun("failed", part);
  }

  onTestFileResult(_file: unknown, { testResults }: { readonly testResults: readonly Case[] }): void {
    if (this.#run === undefined) return;
    const { file, began } = this.#run;
    const steps = testResults.map(({ fullName, status, duration }): Step => ({
      title: fullName,
      status,
      seconds: (duration ?? 0) / 1000,
    }));
    this.#book(outcomesOf(file, (Date.now() - began) / 1000, steps, this.#pattern));
    this.#run = undefined;
  }

  /** Books the tests of the current file before they end. */
  #begun(result: Entry["result"], pattern = this.#pattern): void {
    if (this.#run === undefined) return;
    const tests = begunOf(this.#run.file, pattern);
    this.#book(tests.map((test) => ({ test, seconds: 0, passed: 0, of: 0, result })));
  }

  #book(outcomes: readonly Omit<Entry, "commit" | "date">[]): void {
    if (outcomes.length === 0 || this.#run === undefined) return;
    const { commit } = this.#run;
    // another commit may have been checked out during the run
    const isSame = commit === presentCommit();
    const date = new Date().toISOString().slice(0, 19).replace("T", " ");
    book(
      outcomes.map((outcome) => ({
        ...outcome,
        commit: isSame ? commit : `${commit.replace("+", "")}+`,
        date,
      })),
    );
  }
}
