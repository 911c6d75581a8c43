import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runProgram } from "../../../../automation/checks/run-program";

/** Makes a folder, as a script with secrets does, and waits for a child that does not end. */
const SCRIPT = `folder=$(mktemp -d -p "$PWD"); trap 'rm -r "$folder"' EXIT; sleep 60; :`;

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-run-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const bash = (input: string, seconds = 10, signal?: AbortSignal) =>
  runProgram("bash", ["-s"], { input, seconds, cwd: folder }, signal);

it("vnfm gives what a program printed, and its status", async () => {
  expect(await bash("echo out; echo err >&2; exit 3")).toEqual({
    status: 3,
    stdout: "out\n",
    stderr: "err\n",
  });
});

it("vnfm lets a program that is overdue remove its files", async () => {
  expect(await bash(SCRIPT, 0.5)).toEqual({
    status: undefined,
    stdout: "",
    stderr: expect.anything() as string,
  });
  expect(readdirSync(folder)).toEqual([]);
});

it("vnfm ends a program that nobody waits for any more", async () => {
  const stop = new AbortController();
  const ended = bash(SCRIPT, 60, stop.signal);
  setTimeout(() => stop.abort(), 300);
  await expect(ended).rejects.toThrow("stopped");
  expect(readdirSync(folder)).toEqual([]);
});

it("vnfm ends programs with the process that runs them, any number of them", async () => {
  const module = join(process.cwd(), "automation/checks/run-program");
  const run = `runProgram("bash", ["-c", ${JSON.stringify(SCRIPT)}], { input: "", seconds: 60 })`;
  const code = `const { runProgram } = require("${module}");
    for (let i = 0; i < 11; i++) void ${run};
    setTimeout(() => process.exit(3), 1500);`;
  const loader = join(process.cwd(), "components/run/typescript.cjs");
  const { status, stderr } = spawnSync(process.execPath, ["-r", loader, "-e", code], { cwd: folder });
  expect([status, stderr.toString()]).toEqual([3, ""]);
  for (let left = 50; readdirSync(folder).length > 0 && left > 0; left--) await sleep(100);
  expect(readdirSync(folder)).toEqual([]);
});

it("vnfm ends a program that prints a result without end", async () => {
  expect(await bash("echo words >&2; exec yes")).toEqual({
    status: undefined,
    stdout: "",
    stderr: "words\n",
  });
});

it("vnfm gives a result of 4 MiB, and the last MiB of its words", async () => {
  const { status, stdout, stderr } = await bash(
    "head -c 4194304 /dev/zero; head -c 9000000 /dev/zero | tr '\\0' x >&2; echo why >&2",
  );
  expect([status, stdout.length, stderr.length, stderr.slice(-5)]).toEqual([0, 4 << 20, 1 << 20, "xwhy\n"]);
});

it("vnfm says that a program is not installed", async () => {
  const missing = join(folder, "none");
  expect(existsSync(missing)).toBe(false);
  await expect(runProgram(missing, [], { input: "", seconds: 1 })).rejects.toThrow(
    `${missing} is not installed`,
  );
});
