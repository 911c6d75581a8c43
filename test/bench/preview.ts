import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changedClusterPackage } from "../support/cluster-package";
import { mustRun } from "../support/command";
import { clusterVnf } from "../support/configs";
import { TestStack } from "../support/stack";
import { chart, log, median, ratio, seconds, table } from "./figures";
import { multiplyWorkers } from "./multiply";
import type { PlanCost } from "./plan-once";
import { peakMemory, type PeakMemory } from "./process-tree";
import { withStack } from "./with-stack";

export const PREVIEW_HEADING = "## Preview without a change";
const RUNS = 3;
/** Limit of workers, higher than that of vnfm's cluster package. */
const MAX_WORKERS = 1000;

interface PreviewFigures {
  readonly vnfcs: number;
  readonly plan: PlanCost;
  readonly seconds: number;
  readonly memory: PeakMemory;
}

/**
 * Measures previews of clusters with so many VNFCs. Only one cluster, of two servers, is created. The larger ones are
 * its state with a multiplied worker, which the engine and plugins compare as usual.
 */
export async function benchPreview(sizes: readonly number[]): Promise<string> {
  return withStack("bench-preview", { "vnf-a": clusterVnf(1) }, async (real) => {
    log("up of the cluster whose state is multiplied");
    await real.mustUp();
    const exported = await real.must("stack", "export", "--show-secrets", "--stack", real.name);
    const figures: PreviewFigures[] = [];
    for (const vnfcs of sizes) {
      const size = await measure(real.name, exported, vnfcs);
      figures.push(size);
      log(`preview, ${vnfcs} VNFCs: ${size.seconds.toFixed(1)} s, ${size.memory.all.toFixed(0)} MiB`);
    }
    return render(figures);
  });
}

async function measure(name: string, exported: string, vnfcs: number): Promise<PreviewFigures> {
  const workers = vnfcs - 1;
  const stack = await TestStack.create(name, {});
  try {
    const location = largePackage(stack.folder);
    stack.configure({ "vnf-a": { ...clusterVnf(workers), package: location } });
    const file = join(stack.folder, "state.json");
    writeFileSync(file, multiplyWorkers(exported, workers), { mode: 0o600 });
    await stack.must("stack", "import", "--file", file, "--stack", stack.name);
    const changes = await stack.changes();
    if (changes.length > 0) throw new Error(`the preview shows changes:\n${changes.join("\n")}`);
    const plan = await planCost({ "vnf-a": { ...clusterVnf(workers), package: location } });
    const runs: number[] = [];
    const memory = await peakMemory(async () => {
      for (let run = 1; run <= RUNS; run++) {
        runs.push(await seconds(() => stack.must("preview", "--expect-no-changes", "--stack", stack.name)));
      }
    });
    return { vnfcs, plan, seconds: median(runs), memory };
  } finally {
    // not destroyed by Pulumi: its servers belong to the real stack, or do not exist
    rmSync(stack.folder, { recursive: true, force: true });
  }
}

/** Copies the cluster package, with a VNFD that allows more workers. @returns the folder of the copy */
function largePackage(folder: string): string {
  const location = join(folder, "large-cluster");
  changedClusterPackage(location, "simple", (definition) =>
    definition
      .replace(/max_number_of_instances: (?!1\b)\d+/, `max_number_of_instances: ${MAX_WORKERS}`)
      .replace(/(worker_instance:\n.*\n.*\n\s+max_scale_level:) \d+/, `$1 ${MAX_WORKERS - 1}`),
  );
  return location;
}

/** Measures only the planning, each time in a new process. @returns the medians */
async function planCost(vnfs: object): Promise<PlanCost> {
  const args = ["--expose-gc", "-r", "ts-node/register", "test/bench/plan-once.ts"];
  const costs: PlanCost[] = [];
  for (let run = 1; run <= RUNS; run++) {
    costs.push(JSON.parse(await mustRun("node", args, { input: JSON.stringify(vnfs) })) as PlanCost);
  }
  return {
    milliseconds: median(costs.map(({ milliseconds }) => milliseconds)),
    heap: median(costs.map(({ heap }) => heap)),
  };
}

function render(figures: readonly PreviewFigures[]): string {
  const [smallest] = figures;
  if (smallest === undefined) throw new Error("give at least one number of VNFCs");
  const times = `of ${smallest.vnfcs} VNFCs`;
  const plans = table(
    ["VNFCs", "plan, ms", `times that ${times}`, "heap, MiB", `times that ${times}`],
    figures.map(({ vnfcs, plan }) => [
      String(vnfcs),
      plan.milliseconds.toFixed(0),
      ratio(plan.milliseconds, smallest.plan.milliseconds),
      plan.heap.toFixed(1),
      ratio(plan.heap, smallest.plan.heap),
    ]),
  );
  const engine = table(
    [
      "VNFCs",
      "preview, s",
      `times that ${times}`,
      "ms per VNFC more",
      "peak memory, MiB",
      `times that ${times}`,
    ],
    figures.map(({ vnfcs, seconds: took, memory }) => [
      String(vnfcs),
      took.toFixed(1),
      ratio(took, smallest.seconds),
      vnfcs === smallest.vnfcs
        ? ""
        : ((1000 * (took - smallest.seconds)) / (vnfcs - smallest.vnfcs)).toFixed(0),
      memory.all.toFixed(0),
      ratio(memory.all, smallest.memory.all),
    ]),
  );
  const processes = table(
    ["VNFCs", "CLI, MiB", "program, MiB", "plugins, MiB"],
    figures.map(({ vnfcs, memory }) => [
      String(vnfcs),
      memory.CLI.toFixed(0),
      memory["language host"].toFixed(0),
      memory.plugins.toFixed(0),
    ]),
  );
  return `${PREVIEW_HEADING}

A cluster of one master and workers, the VNFCs, nothing changed. The state is that of a real cluster of two
with the worker's resources multiplied, and \`pulumi preview --expect-no-changes\` agrees with it. Seconds and
milliseconds are medians of ${RUNS} runs.

The plan alone, settings and VNF package included, in a fresh process; the heap is what the plan holds:

${plans}

The whole command, and the resident memory of all its processes at its highest, ten samples a second:

${engine}

Seconds by the number of VNFCs:

${chart(
  figures.map(({ vnfcs }) => String(vnfcs)),
  "seconds",
  [{ mark: "line", values: figures.map(({ seconds: took }) => took) }],
)}

Its processes, each kind at its own highest; the program is Node.js with its language host:

${processes}
`;
}
