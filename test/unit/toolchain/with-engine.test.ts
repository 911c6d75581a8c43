/** A program that toolchain/with-engine.sh runs is the script's process: nothing stands between it and the caller. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

jest.setTimeout(60_000);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-with-engine-"));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/pulumi"), "#!/bin/sh\necho v3.259.0\n");
  chmodSync(join(folder, "bin/pulumi"), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a shell script by it, with an engine on PATH. */
const start = (script: string, ...args: string[]) =>
  startIn(`${join(folder, "bin")}:${process.env["PATH"]}`, ["sh", "-c", script, "sh", ...args]);

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

it("passes standard input, arguments, the environment and the exit status", async () => {
  const { child, end } = start('cat; echo "$1 $PULUMI_BACKEND_URL"; exit 4', "an argument");
  child.stdin.end("a secret\n");
  expect(await end).toEqual([4, `a secret\nan argument file://${folder}/state/backend\n`]);
});

it("excepts this machine from proxies, by which the engine and its programs speak with each other", async () => {
  const { child, end } = start('echo "$no_proxy $NO_PROXY"');
  child.stdin.end();
  expect(await end).toEqual([0, "127.0.0.1,localhost 127.0.0.1,localhost\n"]);
});

it("passes signals, as the program has its process id", async () => {
  const { child, end } = start('trap "echo stopping; exit 3" TERM; echo $$; while :; do sleep 0.1; done');
  child.stdout.once("data", () => child.kill("SIGTERM"));
  expect(await end).toEqual([3, `${child.pid}\nstopping\n`]);
});

it("does without an engine where it is not to fetch or build one", async () => {
  const { child, end } = startIn("/usr/sbin:/usr/bin:/sbin:/bin", [
    ...["--if-there", "sh", "-c", "command -v pulumi || echo none"],
  ]);
  child.stdin.end();
  expect(await end).toEqual([0, "none\n"]);
});
