/** A stack is one of a project in any folder: the CLI is stood in for by a program that says where it runs. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PulumiStack } from "../../../../automation/stack/pulumi";

const root = realpathSync(mkdtempSync(join(tmpdir(), "vnfm-folder-")));
const project = join(root, "project");
const path = process.env["PATH"];

const CLI = `#!/bin/sh
[ -z "$NO_BACKEND" ] || { echo "error: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions" >&2; exit 1; }
case "$1 $2" in
  "whoami --json") echo '{"url": "https://app.example"}' ;;
  "stack --show-name") echo organization/vnfm/site ;;
  "stack output") echo "{\\"folder\\": \\"$PWD\\"}" ;;
  "config --json") echo '{"vnfm:vnfs": {"value": "{\\"a\\": {\\"password\\": \\"p\\", \\"word\\": \\"w\\"}}", "secret": true}}' ;;
  *) exit 1 ;;
esac
`;

beforeAll(() => {
  mkdirSync(join(project, "vnf-packages"), { recursive: true });
  writeFileSync(join(project, "Pulumi.yaml"), "{ name: vnfm, runtime: nodejs }\n");
  writeFileSync(join(root, "pulumi"), CLI);
  chmodSync(join(root, "pulumi"), 0o755);
  writeFileSync(
    join(project, "Pulumi.site.yaml"),
    "config: {'vnfm:vnfs': {a: {password: {secure: v1:x}, word: w}}}\n",
  );
  symlinkSync(project, join(root, "link"));
  process.env["PATH"] = `${root}:${path}`;
});
afterAll(() => {
  process.env["PATH"] = path;
  rmSync(root, { recursive: true });
});

it("the stack is asked in the folder of its project", async () => {
  const stack = await PulumiStack.open(join(root, "link"));
  expect([stack?.folder, stack?.configFile]).toEqual([project, join(project, "Pulumi.site.yaml")]);
  expect(await stack?.outputs()).toEqual({ folder: project });
});

it("the stack has the encrypted values of its project's file, and its files", async () => {
  const settings = await (await PulumiStack.open(project))?.settings();
  expect(JSON.stringify(settings?.vnfs)).toBe('{"a":{"password":"[secret]","word":"w"}}');
  expect(settings?.files.readProjectFile("Pulumi.site.yaml")).toContain("secure");
});

it("the stack is none of a folder that is not there", async () => {
  await expect(PulumiStack.open(join(root, "none"))).rejects.toThrow(
    `the folder ${root}/none does not exist`,
  );
});

it("the stack is none of a folder in a project, whose stack config is not there", async () => {
  const folder = join(project, "vnf-packages");
  await expect(PulumiStack.open(folder)).rejects.toThrow(
    `${folder} contains no Pulumi.yaml: go to the folder of a project, or create one with 'vnfm new'`,
  );
});

it("the stack is none where nobody has said where its state is", async () => {
  process.env["NO_BACKEND"] = "1";
  const opened = PulumiStack.open(project).finally(() => delete process.env["NO_BACKEND"]);
  await expect(opened).rejects.toThrow(
    "Pulumi has no backend for the state: set PULUMI_BACKEND_URL, such as file://~ or postgres://..., or run 'pulumi login'",
  );
});
