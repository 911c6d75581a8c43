/** `automation/` needs a `pulumi` on PATH, and nothing of toolchain/. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run, type CommandResult } from "../../../support/command";

jest.setTimeout(60_000);

/** Stands in for the CLI: its one stack is `dev`, of which nothing is there. */
const CLI = `#!/bin/sh
case "$1 $2" in
  "whoami --json") echo '{"url": "file:///nowhere"}' ;;
  "stack --show-name") echo organization/vnfm/dev ;;
  "stack export") echo '{"deployment": {}}' ;;
  "stack output") echo '{}' ;;
  "config --json") exec /bin/cat config.json ;;
  *) exit 1 ;;
esac
`;

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-pulumi-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function vnfm(...args: string[]): Promise<CommandResult> {
  const program = [resolve("node_modules/.bin/ts-node"), resolve("automation/main.ts"), ...args];
  return run(process.execPath, program, { cwd: folder, env: { PATH: folder } });
}

it("takes the pulumi on PATH", async () => {
  writeFileSync(join(folder, "pulumi"), CLI);
  chmodSync(join(folder, "pulumi"), 0o755);
  expect(await vnfm("recover")).toEqual({ status: 0, stdout: "nothing was cut off\n", stderr: "" });
});

it("shows no value that is encrypted in the stack config", async () => {
  const value = JSON.stringify({ a: { package: "p", scale: { x: "hidden" } } });
  writeFileSync(join(folder, "pulumi"), CLI);
  chmodSync(join(folder, "pulumi"), 0o755);
  writeFileSync(join(folder, "config.json"), JSON.stringify({ "vnfm:vnfs": { value, secret: true } }));
  const written = "config: {'vnfm:vnfs': {a: {package: p, scale: {x: {secure: v1:x}}}}}";
  writeFileSync(join(folder, "Pulumi.dev.yaml"), written);
  expect(await vnfm("status")).toEqual({
    ...{ status: 1, stdout: "" },
    stderr: `vnfm: the stack config is not valid:
  vnfm:vnfs.a.scale.x: the secret must be integer
  vnfm:vnfs.a.scale.x: is encrypted, and would be plain in the state; write it without --secret
`,
  });
});

it("says that there is none on PATH", async () => {
  const stderr = "vnfm: there is no pulumi on PATH: install it, or have `npm run pulumi -- version` do so\n";
  expect(await vnfm("status")).toEqual({ status: 1, stdout: "", stderr });
});

it("starts nothing of toolchain/", () => {
  const root = resolve("automation");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  expect(files).toContain("main.ts");
  expect(files.filter((file) => readFileSync(join(root, file), "utf8").includes("toolchain/"))).toEqual([]);
});
