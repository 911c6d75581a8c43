/** `.ci/run` with stand-ins for what it calls: which tests it runs, and how it ends. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY, run } from "../../support/command";

let folder: string;

/** Calls of the ledger, which gets the names of tests that have begun, and of the tests that it names. */
const NPM = `case "$*" in
  *" next "*)
    shift 6
    echo next "$@" >>calls
    case $# in
      0) printf '%s\\n' extended/a test/a ;;
      1) printf '%s\\n' "conformance/b part 2" test/b -t "part 2 of" ;;
    esac ;;
  "run test:engine"*)
    shift 3
    echo run "$@" >>calls
    . ./engine ;;
esac`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-ci-"));
  for (const name of [".ci", "bin", "lab", "test", "toolchain", "node_modules"])
    mkdirSync(join(folder, name));
  copyFileSync(join(REPOSITORY, ".ci/run"), join(folder, ".ci/run"));
  writeFileSync(join(folder, "Pulumi.dev.yaml"), "of the user\n");
  program("bin/npm", NPM);
  program("bin/npx", "echo edited >Pulumi.dev.yaml");
  program("test/empty-caches.sh", 'exec "$@"');
  program("toolchain/nodejs.sh", "");
  program("lab/lab.sh", 'echo "lab $*" >>calls');
});
afterEach(() => rmSync(folder, { recursive: true }));

const program = (path: string, text: string) =>
  writeFileSync(join(folder, path), `#!/usr/bin/env bash\n${text}\n`, { mode: 0o755 });

async function ci(engine: string, seconds: number) {
  writeFileSync(join(folder, "engine"), engine);
  const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, SECONDS: String(seconds) };
  const { status } = await run(join(folder, ".ci/run"), [], { cwd: folder, env });
  return { status, calls: readFileSync(join(folder, "calls"), "utf8").trim().split("\n") };
}

it("the CI run runs what the ledger names until it names nothing more, and leaves the stack config as it was", async () => {
  expect(await ci("exit 0", 100)).toEqual({
    status: 0,
    calls: [
      "next",
      "run test/a",
      "next extended/a",
      "run test/b -t part 2 of",
      "next extended/a conformance/b part 2",
    ],
  });
  expect(readFileSync(join(folder, "Pulumi.dev.yaml"), "utf8")).toBe("of the user\n");
});

it("the CI run fails with a test that fails, and runs no other one", async () => {
  expect(await ci("exit 3", 100)).toEqual({ status: 3, calls: ["next", "run test/a"] });
});

it("the CI run fails with a test that it has to cut off", async () => {
  expect(await ci("sleep 60", 86 * 60 - 3)).toEqual({
    status: 124,
    calls: ["next", "run test/a", "lab reset"],
  });
});
