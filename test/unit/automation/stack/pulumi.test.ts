/** `automation/` needs a `pulumi` on PATH, and nothing of toolchain/. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PulumiStack } from "../../../../automation/stack/pulumi";
import { run, type CommandResult } from "../../../support/command";

jest.setTimeout(60_000);

/** Stands in for the CLI: its one stack is `dev`, of which nothing is there. */
const CLI = `#!/bin/sh
case "$1 $2" in
  "whoami --json") echo '{"url": "file:///nowhere"}' ;;
  "stack --show-name") echo organization/vnfm/dev ;;
  "config --json") echo '{"vnfm:vnfs": {"value": "no: json"}}' ;;
  "stack output") echo '{}' ;;
  "stack export") echo '{"deployment": {}}' ;;
  *) exit 1 ;;
esac
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-pulumi-"));
  writeFileSync(join(folder, "Pulumi.yaml"), "{ name: vnfm, runtime: nodejs }\n");
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function vnfm(command: string, ofNode: readonly string[] = []): Promise<CommandResult> {
  const program = [resolve("node_modules/.bin/ts-node"), resolve("automation/main.ts"), command];
  return run(process.execPath, [...ofNode, ...program], { cwd: folder, env: { PATH: folder } });
}

it("vnfm takes the pulumi on PATH", async () => {
  writeFileSync(join(folder, "pulumi"), CLI);
  chmodSync(join(folder, "pulumi"), 0o755);
  expect(await vnfm("recover")).toEqual({ status: 0, stdout: "nothing was interrupted\n", stderr: "" });
});

it("vnfm says what is no map of instances, without a stack trace", async () => {
  writeFileSync(join(folder, "pulumi"), CLI);
  chmodSync(join(folder, "pulumi"), 0o755);
  const stderr = "vnfm: vnfm:vnfs: is not a map of instances\n";
  expect(await vnfm("status")).toEqual({ status: 1, stdout: "", stderr });
});

it("vnfm does not wait without end for the CLI, nor for what it has started", async () => {
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\n/bin/sleep 60 & /bin/sleep 60\n");
  chmodSync(join(folder, "pulumi"), 0o755);
  const begin = Date.now();
  const stderr = "vnfm: pulumi whoami --json did not end within 600 s\n";
  const hurry = ["--require", resolve("test/support/hurry.cjs")];
  expect(await vnfm("status", hurry)).toEqual({ status: 1, stdout: "", stderr });
  expect(Date.now() - begin).toBeLessThan(59_000);
});

it("vnfm says that there is none on PATH", async () => {
  const stderr =
    "vnfm: pulumi is not on PATH: install it; in a checkout of vnfm `npm run pulumi -- version` does so\n";
  expect(await vnfm("status")).toEqual({ status: 1, stdout: "", stderr });
});

it("vnfm hands a secret to the CLI by standard input alone", async () => {
  const log = '"config set") echo "$*" >args; env >environment; cat >input ;;';
  writeFileSync(join(folder, "pulumi"), CLI.replace('"config --json")', `${log}\n  "config --json")`));
  chmodSync(join(folder, "pulumi"), 0o755);
  jest.replaceProperty(process, "env", { ...process.env, PATH: `${folder}:${process.env["PATH"]}` });
  const stack = await PulumiStack.open(folder, "dev");
  await stack.setSecret("other.yaml", "vnfm:encrypted[0]", "hidden\n");
  const written = ["args", "environment", "input"].map((file) => readFileSync(join(folder, file), "utf8"));
  expect(written[0]).toBe(
    "config set --secret --raw --config-file other.yaml --path vnfm:encrypted[0] --stack organization/vnfm/dev " +
      "--non-interactive --color never\n",
  );
  expect(written[1]).not.toContain("hidden");
  expect(written[2]).toBe("hidden\n");
});

it("vnfm starts nothing of toolchain/", () => {
  const root = resolve("automation");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  expect(files).toContain("main.ts");
  expect(files.filter((file) => readFileSync(join(root, file), "utf8").includes("toolchain/"))).toEqual([]);
});

it("vnfm has no proxy between the engine and its programs", async () => {
  writeFileSync(join(folder, "pulumi"), CLI.replace("case", 'echo "$no_proxy $NO_PROXY" >exceptions\ncase'));
  chmodSync(join(folder, "pulumi"), 0o755);
  const PATH = `${folder}:${process.env["PATH"]}`;
  jest.replaceProperty(process, "env", { PATH, no_proxy: ".site" });
  await PulumiStack.open(folder, "dev");
  expect(readFileSync(join(folder, "exceptions"), "utf8")).toBe(
    ".site,127.0.0.1,localhost .site,127.0.0.1,localhost\n",
  );
});
