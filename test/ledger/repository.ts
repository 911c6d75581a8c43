/** The ledger's files, and queries to git about the commits in it. */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { lineOf, parseLedger, pathOf, type Entry } from "./ledger";

export const REPOSITORY = join(__dirname, "../..");
export const LEDGER = join(REPOSITORY, "test/ledger.tsv");

const { VNFM_STATE, XDG_STATE_HOME } = process.env;

/** File in which runs are booked on this machine: next to the state, so that it outlives a checkout. */
const BOOKED = join(
  VNFM_STATE || join(XDG_STATE_HOME || join(homedir(), ".local/state"), "vnfm"),
  "ledger.tsv",
);

/** Paths that all engine tests depend on, in addition to their own files and imports. */
const PRODUCT = [
  "index.ts",
  "components",
  "automation",
  "lab",
  "toolchain",
  "vnf-packages",
  "package-lock.json",
];

export const readLedger = (): Entry[] => parseLedger(readFileSync(LEDGER, "utf8"));

export const readBooked = (): Entry[] =>
  existsSync(BOOKED) ? parseLedger(readFileSync(BOOKED, "utf8")) : [];

export function book(entries: readonly Entry[]): void {
  mkdirSync(dirname(BOOKED), { recursive: true, mode: 0o700 });
  appendFileSync(BOOKED, entries.map(lineOf).join(""));
}

/** Lists the files of test/engine, such as `extended/heal`. */
export function engineFiles(): string[] {
  return readdirSync(join(REPOSITORY, "test/engine"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => path.slice(0, -".test.ts".length))
    .sort();
}

/** Lists a test file and its imports in test/, from the root of the repository. */
export function filesOf(path: string, found = new Set<string>()): Set<string> {
  if (!path.startsWith("test/") || found.has(path)) return found;
  found.add(path);
  const text = readFileSync(join(REPOSITORY, path), "utf8");
  for (const [, imported = ""] of text.matchAll(/(?:from|import) "(\.[^"]+)"/g)) {
    const file = join(REPOSITORY, dirname(path), `${imported}.ts`);
    if (existsSync(file)) filesOf(relative(REPOSITORY, file), found);
  }
  return found;
}

/** Matches a call that adds to the lab, or that builds a component of the toolchain. */
const BUILD = /mustRun\("(lab\/lab|toolchain\/build)\.sh", \[(?!"--path")/;

/** Returns true for a test that builds more than `lab.sh up`, such as Cluster API or another Kubernetes version. */
export function buildsMore(test: string): boolean {
  return [...filesOf(pathOf(test))].some((file) => BUILD.test(readFileSync(join(REPOSITORY, file), "utf8")));
}

const git = (...args: string[]): string =>
  execFileSync("git", args, {
    cwd: REPOSITORY,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

/** Returns the current commit, with a `+` at the end if files that tests use have uncommitted changes. */
export function presentCommit(): string {
  try {
    const commit = git("rev-parse", "--short=8", "HEAD");
    const changes = git(
      "status",
      "--porcelain",
      "--",
      ...PRODUCT,
      "test/engine",
      "test/support",
      "test/proof",
    );
    return changes === "" ? commit : `${commit}+`;
  } catch {
    return "none+"; // not a git repository
  }
}

/** Returns true for a commit without uncommitted changes that is in the history of the current commit. */
export function isOfBranch(commit: string): boolean {
  try {
    git("merge-base", "--is-ancestor", commit, "HEAD");
    return true;
  } catch {
    return false;
  }
}

/** Returns true for a clone with an incomplete history. */
export const isShallow = (): boolean => git("rev-parse", "--is-shallow-repository") === "true";

/** Returns true if the test had a step with these words in its title, at the commit of its last run. */
export function hadStep({ test, commit }: Entry, step: string): boolean {
  try {
    git("grep", "--quiet", "--fixed-strings", "-e", step, commit, "--", ...filesOf(pathOf(test)));
    return true;
  } catch {
    return false;
  }
}

/** Counts later commits that changed files of the test or of vnfm. @returns undefined if the commit is unknown */
export function commitsSince({ test, commit }: Entry): number | undefined {
  if (!isOfBranch(commit)) return undefined;
  return Number(git("rev-list", "--count", `${commit}..HEAD`, "--", ...PRODUCT, ...filesOf(pathOf(test))));
}
