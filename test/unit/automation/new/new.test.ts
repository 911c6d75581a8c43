/** `vnfm new`: a project of one's own, from an empty folder or from one that vnfm was installed in. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageFault } from "../../../../automation/fault";
import { makeProject } from "../../../../automation/new";
import { projectFiles } from "../../../../automation/new/project";
import { templates } from "../../../../automation/new/template";
import { yamlData } from "../../../../components/base/yaml/yaml";
import { loadPackage } from "../../../../components/vnfd/package";
import manifest from "../../../../package.json";
import { REPOSITORY } from "../../../support/command";

const TESTED = manifest.devDependencies;
const EXAMPLES = join(REPOSITORY, "examples");

interface Manifest {
  readonly name: string;
  readonly dependencies: object;
  readonly devDependencies?: object;
}

let work: string;
let folder: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "vnfm-new-"));
  folder = join(work, "Site-1");
});

afterEach(() => rmSync(work, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(folder, path), "utf8");

it("`vnfm new` makes a project in an empty folder, and says what comes next", () => {
  expect(makeProject(folder, { typescript: false })).toEqual([
    `${folder} has Pulumi.yaml, package.json, index.js, pipeline.sh, .gitignore, vnf-packages/web-cnf`,
    `this vnfm does not come from a registry: put vnfm-${manifest.version}.tgz into the project, so that its pipeline finds it`,
    "next, with the versions that this vnfm was tested with:",
    `  npm install --save-exact ./vnfm-${manifest.version}.tgz @pulumi/kubernetes@${TESTED["@pulumi/kubernetes"]} @pulumi/pulumi@${TESTED["@pulumi/pulumi"]}`,
    "  pulumi stack init STACK",
    "  npx vnfm init --stack STACK --cnf vnf-packages/web-cnf",
  ]);
  expect(readdirSync(folder).sort()).toEqual(
    [".gitignore", "Pulumi.yaml", "index.js", "package.json", "pipeline.sh", "vnf-packages"].sort(),
  );
  expect(yamlData(read("Pulumi.yaml"), "Pulumi.yaml")).toEqual({
    name: "Site-1",
    description: "VNF instances on OpenStack and Kubernetes",
    runtime: "nodejs",
  });
  expect(JSON.parse(read("package.json"))).toEqual({
    name: "site-1",
    private: true,
    dependencies: {
      "@pulumi/kubernetes": TESTED["@pulumi/kubernetes"],
      "@pulumi/pulumi": TESTED["@pulumi/pulumi"],
    },
  });
  expect(Object.keys(loadPackage(join(folder, "vnf-packages/web-cnf")).vnfd.flavours)).toEqual(["simple"]);
});

it("`vnfm new` makes a project in TypeScript, with a compiler that reads vnfm's declarations and is strict", () => {
  const compiler = { "@types/node": TESTED["@types/node"], typescript: TESTED.typescript };
  expect(makeProject(folder, { typescript: true }).slice(-5)).toEqual([
    expect.stringMatching(/^  npm install --save-exact /),
    `  npm install --save-dev --save-exact @types/node@${compiler["@types/node"]} typescript@${compiler.typescript}`,
    "  npm pkg set main=index.ts",
    "  pulumi stack init STACK",
    "  npx vnfm init --stack STACK --cnf vnf-packages/web-cnf",
  ]);
  expect(existsSync(join(folder, "index.js"))).toBe(false);
  expect(read("index.ts")).toContain("export = vnfm.stack();");
  expect(JSON.parse(read("package.json"))).toMatchObject({ main: "index.ts", devDependencies: compiler });
  expect(JSON.parse(read("tsconfig.json"))).toMatchObject({ compilerOptions: { strict: true } });
});

it("`vnfm new` keeps the package.json of a folder that vnfm was installed in", () => {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"dependencies":{"vnfm":"file:../vnfm.tgz"}}');
  const [written, next] = makeProject(folder, { typescript: false });
  expect(written).toBe(`${folder} has Pulumi.yaml, index.js, pipeline.sh, .gitignore, vnf-packages/web-cnf`);
  expect(next).toContain(`put vnfm-${manifest.version}.tgz into the project`);
  expect(read("package.json")).toBe('{"dependencies":{"vnfm":"file:../vnfm.tgz"}}');
});

it("`vnfm new` has nothing to say of where vnfm is where the project has its file", () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"dependencies":{"vnfm":"file:vnfm.tgz"}}');
  expect(makeProject(folder, { typescript: false }).join("\n")).not.toContain(".tgz");
});

it("`vnfm new` writes nothing where something is there already, and names all of it", () => {
  mkdirSync(join(folder, "vnf-packages/web-cnf"), { recursive: true });
  writeFileSync(join(folder, "index.js"), "own");
  expect(() => makeProject(folder, { typescript: false })).toThrow(
    new UsageFault(`${folder} already has index.js, vnf-packages/web-cnf: nothing was written`),
  );
  expect(read("index.js")).toBe("own");
  expect(existsSync(join(folder, "Pulumi.yaml"))).toBe(false);
});

it("`vnfm new` refuses a folder whose name is none of a project", () => {
  expect(() => makeProject(join(work, "site 1"), { typescript: false })).toThrow(
    `"site 1", the name of the folder, is not a project name: use letters, digits, '-', '_' and '.'`,
  );
});

describe("a template", () => {
  it.each(templates())(
    "%s becomes a project of another name, with the versions that vnfm was tested with",
    (template) => {
      const lines = makeProject(folder, { template });
      expect(lines.at(-1)).toBe("README.md of the project describes the next steps");
      const project = yamlData(read("Pulumi.yaml"), "Pulumi.yaml") as Readonly<Record<string, unknown>>;
      expect(project).toMatchObject({ name: "Site-1", template: { description: project["description"] } });
      const { devDependencies = {}, ...made } = JSON.parse(read("package.json")) as Manifest;
      const example = JSON.parse(readFileSync(join(EXAMPLES, template, "package.json"), "utf8")) as Manifest;
      expect({ ...made.dependencies, vnfm: manifest.version }).toEqual(example.dependencies);
      expect(devDependencies).toEqual(example.devDependencies ?? {});
      expect(example.name).toBe(`vnfm-${template}`);
      expect(read("README.md")).toBe(readFileSync(join(EXAMPLES, template, "README.md"), "utf8"));
    },
  );

  it("is named by examples/README.md as it describes itself", () => {
    const rows = [
      ...readFileSync(join(EXAMPLES, "README.md"), "utf8").matchAll(/^\| `(\S+)` +\| (.*?) +\|$/gm),
    ];
    const described = templates().map((template) => {
      const text = readFileSync(join(EXAMPLES, template, "Pulumi.yaml"), "utf8");
      const { description } = yamlData(text, "Pulumi.yaml") as { readonly description: string };
      return [template, description];
    });
    expect(rows.map(([, name, what]) => [name, what]).sort()).toEqual(described);
  });

  it("has the files of its folders, and none that somebody has made there", () => {
    makeProject(folder, { template: "helm-chart" });
    expect(read("charts/mine/templates/configmap.yaml")).toContain("{{ .Values.greeting | quote }}");
    expect(readdirSync(folder).sort()).toEqual(
      [
        ".gitignore",
        "Pulumi.dev.yaml",
        "Pulumi.yaml",
        "README.md",
        "charts",
        "index.js",
        "package.json",
      ].sort(),
    );
  });

  it("is refused if it does not exist, with the names of those that do", () => {
    expect(() => makeProject(folder, { template: "helm-charts" })).toThrow(
      new UsageFault(
        `there is no template "helm-charts"; one of ${templates().join(", ")}; did you mean "helm-chart"?`,
      ),
    );
    expect(existsSync(folder)).toBe(false);
  });
});

describe("pipeline.sh", () => {
  const CALLS = [
    ["preview", ["npx --no vnfm preview --stack site-1 --format markdown"]],
    ["up", ["npx --no vnfm up --stack site-1 --yes"]],
    [
      "check",
      [
        "npx --no vnfm preview --stack site-1 --expect-no-changes",
        "pulumi refresh --stack site-1 --non-interactive --preview-only --expect-no-changes",
        "npx --no vnfm check --stack site-1 --wait 30m",
      ],
    ],
  ] as const;

  /** Runs it with programs that print how they were called; `npx` ends with a status. */
  function run(args: readonly string[], ofNpx = 0) {
    mkdirSync(folder);
    for (const program of ["npm", "npx", "pulumi"])
      writeFileSync(
        join(folder, program),
        `#!/bin/sh\necho ${program} "$@"\nexit ${program === "npx" ? ofNpx : 0}\n`,
        { mode: 0o755 },
      );
    const script = join(folder, "pipeline.sh");
    writeFileSync(script, projectFiles({ name: "a", versions: {} })["pipeline.sh"] ?? "");
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
    const { status, stdout, stderr } = spawnSync("sh", [script, ...args], { env, encoding: "utf8" });
    return { status, stdout, stderr };
  }

  it.each(CALLS)("runs %s", (verb, calls) => {
    expect(run([verb, "site-1"])).toEqual({
      status: 0,
      stdout: calls.map((call) => `${call}\n`).join(""),
      stderr: "npm ci\n",
    });
  });

  it("looks at all each night, whatever is found first, and fails then", () => {
    const { status, stdout } = run(["check", "site-1"], 5);
    expect(status).toBe(5);
    expect(stdout.split("\n").filter(Boolean)).toEqual(CALLS[2][1]);
  });

  it("says how it is called", () => {
    const { status, stderr } = run(["up"]);
    expect(status).toBe(2);
    expect(stderr.split("\n")[0]).toBe(
      "./pipeline.sh preview STACK   for a proposed change: prints its effect as Markdown",
    );
  });
});
