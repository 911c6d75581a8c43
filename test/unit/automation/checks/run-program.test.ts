import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../../../automation/checks/run-program";

/** Makes a folder, as a script with secrets does, and waits for a child that does not end. */
const SCRIPT = `folder=$(mktemp -d -p "$PWD"); trap 'rm -r "$folder"' EXIT; sleep 60; :`;

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-run-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const bash = (input: string, seconds = 10, signal?: AbortSignal) =>
  runProgram("bash", ["-s"], { input, seconds, cwd: folder }, signal);

it("gives what a program printed, and its status", async () => {
  expect(await bash("echo out; echo err >&2; exit 3")).toEqual({
    status: 3,
    stdout: "out\n",
    stderr: "err\n",
  });
});

it("lets a program that is overdue remove its files", async () => {
  expect(await bash(SCRIPT, 0.5)).toEqual({
    status: undefined,
    stdout: "",
    stderr: expect.anything() as string,
  });
  expect(readdirSync(folder)).toEqual([]);
});

it("ends a program that nobody waits for any more", async () => {
  const stop = new AbortController();
  const ended = bash(SCRIPT, 60, stop.signal);
  setTimeout(() => stop.abort(), 300);
  await expect(ended).rejects.toThrow("stopped");
  expect(readdirSync(folder)).toEqual([]);
});

it("ends a program that prints without end", async () => {
  const { status } = await bash("yes");
  expect(status).toBeUndefined();
});

it("says that a program is not installed", async () => {
  const missing = join(folder, "none");
  expect(existsSync(missing)).toBe(false);
  await expect(runProgram(missing, [], { input: "", seconds: 1 })).rejects.toThrow(`there is no ${missing}`);
});
