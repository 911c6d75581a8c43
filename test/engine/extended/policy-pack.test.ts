/** The example of a policy pack, over a stack that violates its rules and one that does not. */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { mustRun, REPOSITORY, run } from "../../support/command";
import { clusterVnf, webCnf } from "../../support/configs";
import { toolchainPath } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";

jest.setTimeout(10 * 60_000);

/** A runtime without a language host, as the host of the toolchain runs no packs. Pulumi then runs ANALYZER. */
const RUNTIME = "node-alone";
const ANALYZER = `pulumi-analyzer-policy-${RUNTIME}`;

let stack: TestStack;
let pack: string;

beforeAll(async () => {
  stack = await TestStack.create("policy-pack", {});
  pack = join(stack.folder, "policy-pack");
  cpSync(join(REPOSITORY, "examples/policy-pack"), pack, { recursive: true });
  await mustRun("npm", ["install", "--no-audit", "--no-fund"], { cwd: pack });
  const project = join(pack, "PulumiPolicy.yaml");
  writeFileSync(project, readFileSync(project, "utf8").replace("runtime: nodejs", `runtime: ${RUNTIME}`));
  const programs = join(stack.folder, "programs");
  mkdirSync(programs);
  cpSync(
    join(await toolchainPath("nodejs-language-host"), "pulumi-analyzer-policy"),
    join(programs, ANALYZER),
  );
  chmodSync(join(programs, ANALYZER), 0o755);
  process.env["PATH"] = [programs, process.env["PATH"]].join(delimiter);
});

afterAll(() => stack?.remove());

const preview = () =>
  run(
    join(REPOSITORY, "toolchain/pulumi.sh"),
    ["preview", "--policy-pack", pack, "--stack", stack.name, "--non-interactive"],
    { cwd: stack.folder, env: stack.env },
  );

it("the policy pack refuses SSH from everywhere and images without a digest", async () => {
  const rule = { ports: ["tcp/20-30"], cidrs: ["0.0.0.0/0", "192.0.2.0/24"] };
  stack.configure({ "vnf-a": clusterVnf(1, { ingress_rules: [rule] }), web: webCnf("web") });
  const { status, stdout } = await preview();
  expect(status).not.toBe(0);
  expect(stdout.match(/^ +port 22 is open to .*$/gm)?.map((line) => line.trim())).toEqual([
    "port 22 is open to 0.0.0.0/0",
  ]);
  expect(stdout).toMatch(/web: \S+:1\.27 has no digest/);
});

it("the policy pack lets a cluster of ours pass", async () => {
  stack.configure({ "vnf-a": clusterVnf(1) });
  expect(await preview()).toMatchObject({ status: 0 });
});
