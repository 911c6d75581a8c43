import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertFound, programCommand } from "../../../components/remote/program-command";
import { REPOSITORY } from "../../support/command";

const COMMAND = programCommand("remote/greet.cjs");

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

/** vnfm in a folder, with a program that says where it is and how it was called. @param programs where programs are */
function install(into: string, programs: string): void {
  write(
    `${into}/package.json`,
    JSON.stringify({ name: "vnfm", exports: { "./run": "./components/run/run.cjs" } }),
  );
  const run = write(`${into}/components/run/run.cjs`, "");
  cpSync(join(REPOSITORY, "components/run/run.cjs"), run);
  write(
    `${into}/${programs}/remote/greet.cjs`,
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
  expect(COMMAND).toBe(`exec node -e 'require("vnfm/run")' remote/greet.cjs`);
});

test("a project that vnfm is installed in runs the program of the package", () => {
  install("node_modules/vnfm", "dist/components");
  expect(run()).toBe("node_modules/vnfm/dist/components/remote/greet.cjs create\n");
});

test("a project in a folder of a workspace runs the program of the workspace's package", () => {
  install("node_modules/vnfm", "dist/components");
  mkdirSync(join(folder, "sites/west"), { recursive: true });
  expect(run("sites/west")).toBe("../../node_modules/vnfm/dist/components/remote/greet.cjs create\n");
  expect(() => assertFound(join(folder, "sites/west"))).not.toThrow();
});

test("a checkout of the repository runs its own program, whatever was built in it", () => {
  install(".", "dist/components");
  install(".", "components");
  expect(run()).toBe("components/remote/greet.cjs create\n");
});

test("a project from which node does not find vnfm is a fault that says so", () => {
  expect(() => assertFound(folder)).toThrow(
    `vnfm: node does not find it from ${folder}, where steps of a run are run: 'npm install vnfm' there, ` +
      `or name the folder that it is in, such as node_modules, by the variable NODE_PATH`,
  );
});
