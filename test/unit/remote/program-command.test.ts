import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertFound, programCommand } from "../../../components/remote/program-command";
import { REPOSITORY } from "../../support/command";

const COMMAND = programCommand("remote/greet");

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-project-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file of the project. @returns its path */
function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** vnfm in a folder, with a compiled program that says where it is and how it was called. */
function install(into: string): void {
  write(
    `${into}/package.json`,
    JSON.stringify({ name: "vnfm", exports: { "./run": "./components/run/run.cjs" } }),
  );
  mkdirSync(join(folder, into, "components/run"), { recursive: true });
  for (const file of ["run.cjs", "typescript.cjs"])
    cpSync(join(REPOSITORY, "components/run", file), join(folder, into, "components/run", file));
  write(
    `${into}/dist/components/remote/greet.js`,
    'console.log(require("node:path").relative(process.cwd(), __filename), ...process.argv.slice(2));',
  );
}

/** What the command says, run with a verb in a folder of the project. */
function run(cwd = "."): string {
  const options = { cwd: join(folder, cwd), encoding: "utf8" } as const;
  const { stdout, stderr } = spawnSync("sh", ["-c", `${COMMAND} create`], options);
  return stdout + stderr;
}

test("the command is the same wherever vnfm is", () => {
  expect(COMMAND).toBe(`exec node -e 'require("vnfm/run")' remote/greet`);
});

test("a project that vnfm is installed in runs the program of the package", () => {
  install("node_modules/vnfm");
  expect(run()).toBe("node_modules/vnfm/dist/components/remote/greet.js create\n");
});

test("a project in a folder of a workspace runs the program of the workspace's package", () => {
  install("node_modules/vnfm");
  mkdirSync(join(folder, "sites/west"), { recursive: true });
  expect(run("sites/west")).toBe("../../node_modules/vnfm/dist/components/remote/greet.js create\n");
  expect(() => assertFound(join(folder, "sites/west"))).not.toThrow();
});

test("a checkout of the repository runs its own program, whatever was built in it", () => {
  install(".");
  write("tsconfig.json", "{}");
  symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  write("components/remote/name.ts", 'export const name: string = "greet.ts";');
  write(
    "components/remote/greet.ts",
    'import { name } from "./name";\nconsole.log(name, ...process.argv.slice(2) satisfies string[]);',
  );
  expect(run()).toBe("greet.ts create\n");
  const { stdout } = spawnSync("node", [join(folder, "components/run/run.cjs"), "remote/greet", "create"]);
  expect(stdout.toString()).toBe("greet.ts create\n");
});

test("a project from which node does not find vnfm is a fault that says so", () => {
  expect(() => assertFound(folder)).toThrow(
    `vnfm: node does not find it from ${folder}, where scripts run: run 'npm install vnfm' there, ` +
      `or set the variable NODE_PATH to the folder that contains it, such as node_modules`,
  );
});
