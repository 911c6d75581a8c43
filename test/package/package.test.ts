/** Tests of the packed npm package, and of a user's project that installs it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import previewSchema from "../../automation/changes/preview.schema.json";
import { packageSchema } from "../../components/provider/schema";
import { stackConfigSchema } from "../../components/settings/stack-config-schema";
import { SCRIPTS } from "../../components/remote/scripts";
import { scriptHash } from "../../components/remote/script-text";
import manifest from "../../package.json";
import { mustRun, REPOSITORY, run } from "../support/command";
import { installProject, pack } from "../support/foreign-project";

jest.setTimeout(10 * 60_000);

let folder: string;
let tarball: string;
/** Folder of the project. */
let project: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-package-"));
  tarball = await pack(folder);
  project = join(folder, "project");
  await installProject(project, tarball);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Reads a file of the installed package. */
const installed = (path: string) => readFileSync(join(project, "node_modules/vnfm", path), "utf8");

/** Runs a program in the project. */
const runHere = (program: string, ...args: string[]) => run(program, args, { cwd: project });

/** Runs a program of the project. @returns its JSON output */
async function answer(program: string, cwd = project): Promise<unknown> {
  return JSON.parse(await mustRun("node", ["-e", program], { cwd }));
}

describe("the tarball", () => {
  it("has what is built, its sources, the documentation and the VNF packages, and nothing of the lab, the toolchain and the tests", async () => {
    const files = (await mustRun("tar", ["--list", "--file", tarball])).trim().split("\n");
    const places = files.map((file) => file.replace(/^package\//, "").replace(/\/.*/, "/"));
    expect([...new Set(places)].sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "PulumiPlugin.yaml",
      "README.md",
      "SECURITY.md",
      "automation/",
      "components/",
      "dist/",
      "docs/",
      "examples/",
      "package.json",
      "vnf-packages/",
    ]);
    const tracked = (await mustRun("git", ["ls-files", "vnf-packages"])).trim().split("\n");
    expect(files.filter((file) => file.startsWith("package/vnf-packages/")).sort()).toEqual(
      tracked.map((file) => `package/${file}`).sort(),
    );
  });

  it("is what publint recommends", async () => {
    expect(await run("npx", ["publint", "--strict", tarball])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("All good!") as string,
    });
  });

  it("has types that each way of importing finds", async () => {
    // vnfm/run is not imported: node runs it by its name
    const { status, stdout } = await run("npx", [
      "attw",
      tarball,
      "--exclude-entrypoints",
      "run",
      "--no-color",
    ]);
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("No problems found") as string,
    });
  });

  it("has a bill of materials with all that the package needs, in the versions that were tested", () => {
    const bill = JSON.parse(installed("dist/sbom.cdx.json")) as {
      readonly metadata: { readonly component: { readonly purl: string } };
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    const { version, dependencies, peerDependencies } = JSON.parse(installed("package.json")) as Record<
      "dependencies" | "peerDependencies",
      Readonly<Record<string, string>>
    > & { readonly version: string };
    expect(bill.metadata.component.purl).toBe(`pkg:npm/vnfm@${version}`);
    const lock = JSON.parse(readFileSync(join(REPOSITORY, "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>;
    };
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const tested = lock.packages[`node_modules/${name}`]?.version.replace(/^v/, "");
      const billed = bill.components.filter((one) => one.name === name).map((one) => one.version);
      expect([name, billed.map((one) => one.replace(/^v/, ""))]).toEqual([name, [tested]]);
    }
    expect(bill.components.map(({ name }) => name)).not.toContain("jest");
  });
});

describe("a TypeScript project of somebody else", () => {
  const tsc = () => runHere("npx", "tsc", "--noEmit");

  it("compiles with the whole stack as its program, the declarations of all packages checked", async () => {
    expect(await tsc()).toMatchObject({ status: 0, stdout: "" });
  });

  it("compiles with the resolution of modules of older projects", async () => {
    const older = ["--module", "commonjs", "--moduleResolution", "node10"];
    expect(await runHere("npx", "tsc", "--noEmit", ...older)).toMatchObject({ status: 0, stdout: "" });
  });

  it("compiles every example of the pages, also as Pulumi does without a tsconfig.json", async () => {
    const docs = join(REPOSITORY, "docs");
    const examples = readdirSync(docs)
      .filter((page) => page.endsWith(".md"))
      .flatMap((page) => {
        const blocks = readFileSync(join(docs, page), "utf8").matchAll(/^```ts\n(.*?)^```/gms);
        return [...blocks].map(([, code = ""], i) => ({ file: `${page}-${i + 1}.ts`, code }));
      });
    expect(examples.length).toBeGreaterThan(5);
    for (const { file, code } of examples) {
      expect([file, code]).toEqual([file, expect.stringContaining('from "vnfm')]);
      writeFileSync(join(project, file), code);
    }
    const files = examples.map(({ file }) => file);
    // the compiler options of @pulumi/pulumi's cmd/run
    const ofPulumi = ["--target", "es2020", "--module", "nodenext", "--moduleResolution", "nodenext"];
    for (const options of [ofPulumi, [...ofPulumi, "--strict"]])
      expect([options, await runHere("npx", "tsc", "--noEmit", ...options, ...files)]).toMatchObject([
        options,
        { status: 0, stdout: "" },
      ]);
  });

  it("has components whose arguments are checked, and the operations of the command line", async () => {
    writeFileSync(
      join(project, "index.ts"),
      `import * as vnfm from "vnfm";
       import { VnfmStack } from "vnfm/automation";
       const args: vnfm.ServersArgs = { package: "vnf-packages/web", scal: {} };
       export const servers = new vnfm.Servers("a", args).vnf;
       export const shown = async () => (await VnfmStack.open({ folder: ".", stack: "dev" })).status("a");
      `,
    );
    const { status, stdout } = await tsc();
    expect(status).not.toBe(0);
    expect(stdout.replaceAll(/\x1b\[[\d;]*m/g, "").match(/error TS\d+/g)).toEqual(["error TS2561"]);
    expect(stdout).toContain("scale");
  });
});

describe("the installed package", () => {
  it("loads without a compiler of its own, and leaves the process as it was", async () => {
    const loaded = await answer(`
      const before = [Error.stackTraceLimit, Error.prepareStackTrace];
      const { stack, KubernetesCluster } = require("vnfm");
      const unchanged = before[0] === Error.stackTraceLimit && before[1] === Error.prepareStackTrace;
      const compilers = Object.keys(require.cache).filter((path) => /node_modules.(ts-node|@swc)/.test(path));
      console.log(JSON.stringify([typeof stack, typeof KubernetesCluster, unchanged, compilers]));`);
    expect(loaded).toEqual(["function", "function", true, []]);
  });

  it("runs vnfm, and has the schemas of the stack config and of previews", async () => {
    expect((await runHere("npx", "vnfm", "--help")).stdout).toMatch(/^usage: /);
    const schema = await answer('console.log(JSON.stringify(require("vnfm/schema.json")))');
    expect(schema).toEqual(stackConfigSchema());
    expect(JSON.parse((await runHere("npx", "vnfm", "schema")).stdout)).toEqual(schema);
    const ofPreview = await answer('console.log(JSON.stringify(require("vnfm/preview.schema.json")))');
    expect(ofPreview).toEqual(previewSchema);
  });

  it("has the schema of its plugin, which the CLI starts by the package's folder", async () => {
    const schema = await answer('console.log(JSON.stringify(require("vnfm/pulumi-schema.json")))');
    expect(schema).toEqual(packageSchema(manifest));
    // the CLI's language host runs a plugin with `runtime: nodejs` in PulumiPlugin.yaml in this way
    const start = ["node_modules/@pulumi/pulumi/cmd/run-plugin", "node_modules/vnfm"];
    const plugin = spawn("node", start, { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(plugin.stdout.setEncoding("utf8"), "data")) as [string];
    plugin.kill();
    expect(line).toMatch(/^\d+\n$/);
  });

  it("makes a project of one's own", async () => {
    expect(await runHere("npx", "vnfm", "new", "site-1")).toMatchObject({ status: 0, stderr: "" });
    const site = join(project, "site-1");
    expect(readFileSync(join(site, "index.js"), "utf8")).toContain('require("vnfm").stack()');
    expect(readdirSync(join(site, "vnf-packages/web-cnf"))).toEqual(
      readdirSync(join(REPOSITORY, "vnf-packages/web-cnf")),
    );
  });

  it("makes a project in TypeScript that compiles", async () => {
    expect(await runHere("npx", "vnfm", "new", "site-2", "--typescript")).toMatchObject({ status: 0 });
    expect(await runHere("npx", "tsc", "--project", "site-2")).toMatchObject({ status: 0, stdout: "" });
  });

  it("makes a project of an example in TypeScript, which compiles", async () => {
    const made = await runHere("npx", "vnfm", "new", "site-3", "--template", "components");
    expect(made).toMatchObject({ status: 0 });
    expect(await runHere("npx", "tsc", "--project", "site-3")).toMatchObject({ status: 0, stdout: "" });
  });

  it("has the program and the scripts of each step, with the hashes that the state of a checkout has", async () => {
    const names = JSON.stringify(SCRIPTS);
    const hashes = await answer(`
      const { scriptHash } = require("./node_modules/vnfm/dist/components/remote/script-text");
      console.log(JSON.stringify(${names}.map((name) => scriptHash(name))));`);
    expect(hashes).toEqual(SCRIPTS.map((name) => scriptHash(name)));
    const folders = ["remote", "deploy/objects/scripts", "kube/client"];
    const programs = folders.flatMap((folder) =>
      readdirSync(join(REPOSITORY, "components", folder))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => `dist/components/${folder}/${file.replace(/ts$/, "js")}`),
    );
    for (const program of programs) expect(installed(program)).toContain('"use strict"');
  });

  it("runs the programs of steps", async () => {
    for (const program of ["remote/run-script", "deploy/objects/scripts/await-ready"]) {
      const options = { input: "no JSON", cwd: project };
      const { stdout, stderr } = await run("node", ["-e", 'require("vnfm/run")', program, "create"], options);
      expect(stdout + stderr).toContain("the input of this script is no JSON");
    }
  });

  it("tells faults of the stack config as a checkout does", async () => {
    const program = (entry: string) => `
      const pulumi = require("@pulumi/pulumi");
      const mocks = { newResource: ({ name }) => ({ id: name, state: {} }), call: ({ inputs }) => inputs };
      pulumi.runtime.setMocks(mocks, "foreign", "dev", true, "organization");
      pulumi.runtime.setAllConfig({ "vnfm:vnfs": JSON.stringify({ "vnf-a": { packag: "here", vim: 1 } }) });
      require("${entry}").stack().catch((error) =>
        console.log(JSON.stringify([error.message, pulumi.RunError.isInstance(error)])));`;
    const told = await answer(program("vnfm"));
    expect(told).toEqual([expect.stringContaining('did you mean "package"?'), true]);
    expect(told).toEqual(await answer(`require("ts-node/register");${program("./components")}`, REPOSITORY));
  });
});
