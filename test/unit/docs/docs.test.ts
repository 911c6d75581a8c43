/** The documentation says what is there: the reference is the schema's, links and npm scripts exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readArguments } from "../../../automation/command-line/arguments";
import { usageOf } from "../../../automation/command-line/help";
import { COMMANDS } from "../../../automation/commands";
import { limits } from "../../../components/base/limits";
import { render } from "../../../docs/generate";
import manifest from "../../../package.json";
import { lastSeen, testsOf } from "../../ledger/ledger";
import { engineFiles, filesOf, hadStep, isShallow, readLedger } from "../../ledger/repository";
import { PAGES as TABLES, rowsOf, seenOf, type Named, type Row } from "../../ledger/tables";
import { REPOSITORY } from "../../support/command";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(REPOSITORY, "docs")).map((name) => join("docs", name)),
].filter((page) => page.endsWith(".md"));
const read = (page: string) => readFileSync(join(REPOSITORY, page), "utf8");
const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```/gm, "");

/** Anchors of a page's headings, as GitHub makes them. */
function anchors(page: string): string[] {
  const headings = withoutCode(read(page)).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** What is wrong with a link of a page; undefined where it leads somewhere. */
function problem(page: string, target: string): string | undefined {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : relative(REPOSITORY, join(REPOSITORY, dirname(page), path));
  if (file.startsWith("..")) return `${target} leaves the repository`;
  if (!existsSync(join(REPOSITORY, file))) return `${target}: there is no ${file}`;
  if (anchor === undefined || anchors(file).includes(anchor)) return undefined;
  return `${target}: ${file} has no such heading`;
}

describe("docs/stack-config.md", () => {
  it("is what `npx ts-node docs/generate.ts` writes", () => {
    expect(read("docs/stack-config.md")).toBe(render());
  });
});

describe("docs/vnf-packages.md", () => {
  it("has each limit in its table", () => {
    const [, table = ""] = read("docs/vnf-packages.md").split("## Limits");
    const numbers = [...table.matchAll(/(\d+(?: \d{3})*)( MiB)?/g)].map(
      ([, number = "", unit]) => Number(number.replaceAll(" ", "")) * (unit ? 1024 ** 2 : 1),
    );
    expect(Object.values(limits).filter((limit) => !numbers.includes(limit))).toEqual([]);
  });
});

describe("docs/command-line.md", () => {
  it("has each verb as its help has it, in that order", () => {
    const rows = [...read("docs/command-line.md").matchAll(/^\| `([^`]+)` +\|/gm)].map(([, usage]) => usage);
    expect(rows).toEqual(COMMANDS.map(usageOf));
  });
});

/** The titles in a file of tests, and in what it imports of test/. */
function titlesIn(path: string): string[] {
  const title = /(?:\b(?:it|test|describe)|\))\(\s*(["`])((?:\\.|(?!\1).)*)\1/g;
  return [...filesOf(path)].flatMap((file) => [...read(file).matchAll(title)].map(([, , text = ""]) => text));
}

/** The titles of a test that a page names: an engine test's file; a file of unit tests, also one that others include, or a folder. */
function titlesOf(test: string): string[] {
  const places = test.startsWith("unit/")
    ? [".test.ts", ".ts", ""].map((end) => `test/${test}${end}`)
    : [`test/engine/${test}.test.ts`];
  const place = places.find((path) => existsSync(join(REPOSITORY, path)));
  if (place === undefined) return [];
  if (place.endsWith(".ts")) return titlesIn(place);
  const files = readdirSync(join(REPOSITORY, place)).filter((name) => name.endsWith(".test.ts"));
  return files.flatMap((name) => titlesIn(join(place, name)));
}

describe.each(TABLES)("%s", (page) => {
  const rows = rowsOf(read(page));

  it("names for each feature that is here a test, and quotes a step that it has", () => {
    const isProven = ({ test, step }: Named) =>
      step !== undefined && titlesOf(test).some((title) => title.includes(step));
    const unproven = rows.filter(({ here, tests }) =>
      tests.length === 0 ? !/^no\b/.test(here) : !tests.every(isProven),
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(unproven).toEqual([]);
  });

  it("says when each was seen, by the ledger: `npm run ledger -- take` writes it", () => {
    const seen = lastSeen(readLedger());
    // without the history, nobody knows which steps there were
    const hads = isShallow() ? [hadStep, () => true] : [hadStep];
    const isRight = (row: Row) => hads.some((had) => row.seen === seenOf(row.tests, seen, had));
    expect(rows.filter((row) => !isRight(row))).toEqual([]);
  });
});

it("test/ledger.tsv has lines of engine tests that there are, one of each", () => {
  const tests = readLedger().map(({ test }) => test);
  const known = testsOf(engineFiles());
  expect(tests.filter((test) => !known.includes(test))).toEqual([]);
  expect(tests).toEqual([...new Set(tests)].sort());
});

/** The command lines of `vnfm` in a page's blocks of shell, without what a shell does with them. */
function commandLines(page: string): string[] {
  const blocks = read(page).matchAll(/^ *```sh\n([^]*?)^ *```/gm);
  return [...blocks].flatMap(([, block = ""]) => {
    const lines = block
      .replaceAll(/\\\n */g, "")
      .matchAll(/^ *(?:npm run (?:--silent )?vnfm --|npx vnfm|vnfm) (.+)$/gm);
    return [...lines].map(([, line = ""]) => line.replace(/ +(#|[|]|>).*$/, ""));
  });
}

describe.each(pages)("%s", (page) => {
  it("has command lines of vnfm that are understood", () => {
    for (const line of commandLines(page))
      expect(() => readArguments(line.split(/ +/), COMMANDS)).not.toThrow();
  });

  it("has links to what exists only", () => {
    const text = withoutCode(read(page)).replaceAll(/`[^`]*`/g, "");
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const inside = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(inside.map((target) => problem(page, target)).filter(Boolean)).toEqual([]);
  });

  it("names VNF packages and files of them that the repository has, or that a command of the page makes", () => {
    const text = read(page);
    const made = [...text.matchAll(/(?:--into|cp -r \S+) (\S+)/g)].map(([, into = ""]) => into);
    const named = [...text.matchAll(/\bpackage: "?([\w./-]+\/[\w.-]+)/g)].map(
      ([, location = ""]) => location,
    );
    const isThere = (location: string) =>
      existsSync(join(REPOSITORY, location.replace("node_modules/vnfm/", "")));
    expect(named.filter((location) => !isThere(location) && !made.includes(location))).toEqual([]);
  });

  it("names npm scripts that exist only", () => {
    const named = [...read(page).matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !(script in manifest.scripts))).toEqual([]);
  });

  it("names actions of pipelines by their commits", () => {
    const named = [...read(page).matchAll(/^\s*(?:- )?uses: (\S+)/gm)].map(([, action = ""]) => action);
    expect(named.filter((action) => !/^[^@]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it("puts folders of packages behind the machine's own programs", () => {
    const paths = [...read(page).matchAll(/\bPATH=(\S+)/g)].map(([, path = ""]) => path);
    expect(
      paths.filter((path) => path.replace(/[^:]*node_modules[^:]*$/, "").includes("node_modules")),
    ).toEqual([]);
  });

  it("has lines of at most 110 characters, tables and links aside", () => {
    const long = read(page)
      .split("\n")
      .filter((line) => line.length > 110 && !line.startsWith("|"));
    expect(long).toEqual([]);
  });
});

it("docs/README.md lists every page", () => {
  const listed = read("docs/README.md");
  const others = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(others.filter((page) => !listed.includes(`(${page.slice("docs/".length)})`))).toEqual([]);
});
