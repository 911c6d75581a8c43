import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { assertClient } from "../../../components/remote/ssh-client";
import { StandIns } from "./stand-ins";

/** Folder for temporary files. Undefined: that of this machine. */
let mockFolder: string | undefined;

jest.mock("node:os", () => {
  const os = jest.requireActual<typeof import("node:os")>("node:os");
  return { ...os, tmpdir: () => mockFolder ?? os.tmpdir() };
});

const standIns = new StandIns();

/** Has the client of this machine be another one. */
function client(text: string): void {
  standIns.program("ssh", text);
  jest.replaceProperty(process, "env", {
    ...process.env,
    PATH: `${standIns.folder}:${process.env["PATH"]}`,
  });
}
afterEach(() => {
  mockFolder = undefined;
  jest.restoreAllMocks();
});

it("the OpenSSH client takes every option that connections have", async () => {
  await expect(assertClient()).resolves.toBeUndefined();
});

it("the client reads the options of a key, a password and a jump host, and connects to nobody", async () => {
  client(`printf '%s\\n' "$@" >${standIns.at("told")}`);
  await assertClient();
  const told = standIns.log().split("\n");
  expect([told[0], ...told.slice(-3)]).toEqual(["-G", "--", "vnfm", ""]);
  expect(told.find((word) => word.startsWith("ProxyCommand="))).toContain("PubkeyAuthentication=no");
  expect(told.find((word) => word.startsWith("IdentityFile="))).toMatch(/key-0"$/);
});

it("the client reads its files in a folder whose name has spaces and percent signs", async () => {
  const folder = join(standIns.folder, "job 1%2Fx");
  mkdirSync(folder);
  mockFolder = folder;
  client(`exec /usr/bin/ssh "$@" >${standIns.at("told")}`);
  await assertClient();
  expect(standIns.log()).toContain(`userknownhostsfile ${folder}/`);
});

it.each([
  [
    "echo 'No user exists for uid 1234' >&2; exit 255",
    "No user exists for uid 1234; OpenSSH needs a line in /etc/passwd of the user who runs this, in a container too",
  ],
  [
    "echo 'command-line: line 0: Bad configuration option: identityagent' >&2; exit 255",
    "command-line: line 0: Bad configuration option: identityagent",
  ],
  ["exit 127", "status 127"],
])("a client that cannot be used is a fault in its own words: %s", async (text, words) => {
  client(text);
  await expect(assertClient()).rejects.toThrow(new Error(`the ssh of this machine cannot be used: ${words}`));
});

it("a machine without the client is told so", async () => {
  jest.replaceProperty(process, "env", { ...process.env, PATH: standIns.folder });
  await expect(assertClient()).rejects.toThrow(
    "ssh is not installed on this machine: install an OpenSSH client",
  );
});
