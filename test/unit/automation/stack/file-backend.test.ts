import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lockFiles, removeTornMetadata } from "../../../../automation/stack/file-backend";
import type { Lock } from "../../../../automation/stack/file-backend";

const folder = mkdtempSync(join(tmpdir(), "vnfm-backend-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string): string => {
  const file = join(folder, ".pulumi", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const lock: Lock = {
  pid: process.pid,
  username: "u",
  hostname: hostname(),
  timestamp: "2026-01-01T00:00:00Z",
};

it("vnfm reads the locks of the stack and of no other", () => {
  write("locks/organization/vnfm/dev/1.json", JSON.stringify(lock));
  write("locks/organization/vnfm/dev/1.json.attrs", "{}");
  write("locks/organization/vnfm/other/2.json", JSON.stringify(lock));
  const qualifiedName = "organization/vnfm/dev";
  const stack = { folder: "/nowhere", backend: `file://${folder}?metadata=skip`, qualifiedName };
  expect(lockFiles(stack)).toEqual([lock]);
  expect(lockFiles({ ...stack, backend: "s3://bucket" })).toEqual([]);
});

it("vnfm reads a state that is beside the project, wherever this process is", () => {
  const stack = {
    folder: join(folder, "project"),
    backend: "file://..",
    qualifiedName: "organization/vnfm/dev",
  };
  expect(lockFiles(stack)).toEqual([lock]);
});

it("vnfm removes metadata that is cut off, and only that", () => {
  const state = write("stacks/vnfm/dev.json", "{}");
  const torn = [write("stacks/vnfm/dev.json.attrs", ""), write("stacks/vnfm/dev.json.bak.attrs", '{"user.')];
  const whole = write("stacks/vnfm/other.json.attrs", '{"md5":"x"}');
  removeTornMetadata({ folder: "/nowhere", backend: `file://${folder}` });
  expect(torn.filter((file) => existsSync(file))).toEqual([]);
  expect([state, whole].every((file) => existsSync(file))).toBe(true);
});
