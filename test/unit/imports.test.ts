/** Imports against the arrows of docs/design.md do not pass `npm run check`. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** File, what it imports, and the rule that this breaks. */
const WRONG = [
  ["components/settings/a.ts", "components/plan/a.ts", "arrows-of-settings"],
  ["components/plan/b.ts", "components/deploy/a.ts", "arrows-of-plan"],
  ["components/plan/c.ts", "components/gather/a.ts", "arrows-of-plan"],
  ["components/kube/a.ts", "components/settings/a.ts", "arrows-of-kube"],
  ["components/vnfd/a.ts", "components/kube/a.ts", "arrows-of-vnfd"],
  ["components/render/a.ts", "components/remote/a.ts", "arrows-of-render"],
  ["components/gather/b.ts", "components/deploy/a.ts", "arrows-of-gather"],
  ["components/deploy/b.ts", "components/settings/a.ts", "arrows-of-deploy"],
  ["components/plan/servers/a.ts", "components/plan/kubeadm/a.ts", "arrows-of-plan-servers"],
  ["components/deploy/objects/a.ts", "components/deploy/openstack/a.ts", "arrows-of-deploy-objects"],
  ["components/base/a.ts", "components/kube/a.ts", "arrows-of-base"],
  ["components/deploy/c.ts", "automation/a.ts", "components-alone"],
  ["automation/stack/a.ts", "automation/operations/a.ts", "arrows-of-automation-stack"],
  ["automation/b.ts", "toolchain/a.ts", "no-tools"],
  ["automation/c.ts", "test/a.ts", "no-tools"],
] as const;

let project: string;

beforeEach(() => (project = mkdtempSync(join(tmpdir(), "vnfm-imports-"))));
afterEach(() => rmSync(project, { recursive: true }));

it("each import against an arrow is an error", async () => {
  for (const [, imported] of WRONG) write(imported, "export const value = 1;\n");
  for (const [file, imported] of WRONG) {
    const up = "../".repeat(file.split("/").length - 1);
    write(file, `import { value } from "${up}${imported.replace(".ts", "")}";\nexport const its = value;\n`);
  }
  expect(await violations()).toEqual(
    WRONG.map(([file, imported, rule]) => `${rule}: ${file} -> ${imported}`).sort(),
  );
}, 60_000);

it("pure folders import nothing of Pulumi, even types", async () => {
  for (const file of ["components/render/a.ts", "components/base/secret.ts", "components/deploy/a.ts"])
    write(file, 'import type { Output } from "@pulumi/pulumi";\nexport type A = Output<string>;\n');
  expect(await violations()).toEqual([
    "pure: components/base/secret.ts -> @pulumi/pulumi",
    "pure: components/render/a.ts -> @pulumi/pulumi",
  ]);
}, 60_000);

it("files that import each other are an error, also if each needs only types of the other", async () => {
  write("automation/a.ts", 'import { b } from "./b";\nexport const a = (): unknown => b;\n');
  write("automation/b.ts", 'import { a } from "./a";\nexport const b = (): unknown => a;\n');
  write("automation/c.ts", 'import type { D } from "./d";\nexport type C = D | 1;\n');
  write("automation/d.ts", 'import type { C } from "./c";\nexport type D = C[];\n');
  expect(await violations()).toEqual([
    "no-circle: automation/a.ts -> automation/b.ts",
    "no-circle: automation/c.ts -> automation/d.ts",
  ]);
}, 60_000);

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

async function violations(): Promise<string[]> {
  const args = ["--config", resolve(".dependency-cruiser.cjs"), "--output-type", "json", "."];
  const output = await new Promise<string>((done) => {
    // its exit status is the number of errors
    execFile(resolve("node_modules/.bin/depcruise"), args, { cwd: project }, (_, stdout) => done(stdout));
  });
  const { summary } = JSON.parse(output) as {
    summary: { violations: readonly { from: string; to: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`).sort();
}
