import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { Cluster } from "./cluster";
import { PARTS } from "../ledger/ledger";
import { mustRun, run } from "./command";
import { toolchainPath } from "./management-cluster";

/** Results of the conformance tests in one part. */
interface Outcome {
  readonly passed: number;
  /** Error message of each failed test, by its name. */
  readonly failed: Readonly<Record<string, string>>;
}

/** Adds the conformance tests, and the images that they use, to the lab. */
export function labWithConformance(): Promise<string> {
  return mustRun("lab/lab.sh", ["conformance"]);
}

/** Declares a Jest test for each part of the conformance tests. The cluster must exist when the first one starts. */
export function testParts(cluster: () => Cluster): void {
  it.each(Array.from({ length: PARTS }, (_, index) => index + 1))(
    `passes the conformance tests of Kubernetes, part %i of ${PARTS}`,
    async (part) => {
      const names = await testsOf(part);
      const outcome = await runTests(cluster(), names);
      // Jest itself prints nothing before the last part ends
      process.stderr.write(`part ${part}: ${outcome.passed} of ${names.length} tests passed\n`);
      expect(outcome).toEqual({ passed: names.length, failed: {} });
    },
  );
}

/** Returns the names of the conformance tests in a part. Parts count from 1; each has its share of every group. */
async function testsOf(part: number): Promise<string[]> {
  const listed = await mustRun(await program("e2e.test"), ["--list-conformance-tests"]);
  const names = (parse(listed) as { codename: string }[]).map(({ codename }) => codename);
  return names.sort().filter((_, index) => index % PARTS === part - 1);
}

/** Runs conformance tests on a cluster: first those that may run in parallel, the disruptive ones one by one. */
async function runTests(cluster: Cluster, names: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-conformance-"));
  try {
    const { stdout, stderr } = await run(await program("ginkgo"), [
      ...[`--procs=${2 * availableParallelism()}`, "--no-color", "--timeout=2h"],
      ...[`--output-dir=${folder}`, "--json-report=report.json"],
      // Ginkgo matches the name of the suite before that of the test
      ...names.map((name) => `--focus= ${escaped(name)}$`),
      ...[await program("e2e.test"), "--"],
      ...[`--kubeconfig=${cluster.kubeconfig}`, "--provider=skeleton", "--disable-log-dump"],
      `--kubectl-path=${join(await toolchainPath("kubernetes-v1.33"), "kubectl")}`,
    ]);
    return outcomeOf(reportIn(folder, stdout + stderr));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One test in Ginkgo's JSON report. */
interface Spec {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

/** @param output what the run printed: the error message if it has written no report */
function reportIn(folder: string, output: string): readonly Spec[] {
  try {
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as { SpecReports: Spec[] }[];
    return report.flatMap(({ SpecReports }) => SpecReports);
  } catch (error) {
    throw new Error(`Ginkgo has written no report:\n${output.slice(-4000)}`, { cause: error });
  }
}

function outcomeOf(specs: readonly Spec[]): Outcome {
  const ran = specs.filter(({ State }) => !["skipped", "pending"].includes(State));
  const failed = ran.filter(({ State }) => State !== "passed");
  return {
    passed: ran.filter(({ State, LeafNodeType }) => State === "passed" && LeafNodeType === "It").length,
    failed: Object.fromEntries(
      failed.map((spec) => [nameOf(spec), `${spec.State}: ${spec.Failure?.Message ?? ""}`]),
    ),
  };
}

/**
 * Returns the name of a test as in conformance.yaml. Other steps, such as the preparation of all tests, are named by
 * their kind.
 */
function nameOf({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType }: Spec): string {
  return [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(" ") || LeafNodeType;
}

const program = async (name: string) => join(await toolchainPath("e2e-v1.33"), name);

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
