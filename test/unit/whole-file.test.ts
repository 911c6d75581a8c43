import crypto from "node:crypto";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../../components/base/whole-file";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-whole-file-"));
  path = join(folder, "a.yaml");
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test("a file is replaced, has its mode, and leaves no part behind", () => {
  writeFileSync(path, "before", { mode: 0o644 });
  writeWhole(path, "after", 0o600);
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["after", 0o600]);
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("a link in place of the part is not followed, even where its name was foreseen", () => {
  const victim = join(folder, "victim");
  writeFileSync(victim, "theirs");
  const name = "00000000-0000-4000-8000-000000000000";
  jest.spyOn(crypto, "randomUUID").mockReturnValue(name);
  symlinkSync(victim, join(folder, `.a.yaml.${name}`));
  expect(() => writeWhole(path, "ours")).toThrow("EEXIST");
  expect(readFileSync(victim, "utf8")).toBe("theirs");
});

test("a link in place of the file becomes a file, and what it led to stays", () => {
  const victim = join(folder, "victim");
  writeFileSync(victim, "theirs");
  symlinkSync(victim, path);
  writeWhole(path, "ours");
  expect([readFileSync(victim, "utf8"), readFileSync(path, "utf8")]).toEqual(["theirs", "ours"]);
});

test("a part that cannot be put in place goes", () => {
  expect(() => writeWhole(folder, "text")).toThrow();
  expect(
    readdirSync(join(folder, "..")).filter((name) => name.startsWith(`.${folder.split("/").pop()}`)),
  ).toEqual([]);
});
