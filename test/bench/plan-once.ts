/** Plans a stack once, in a process of its own, and prints what that took as JSON. The config is in stdin. */
import { readFileSync } from "node:fs";
import { serversOf } from "../../components/plan/model";
import { planOf } from "./plans";

/** What one plan took. */
export interface PlanCost {
  readonly milliseconds: number;
  /** Heap that the plan holds, in MiB. */
  readonly heap: number;
}

const vnfs = JSON.parse(readFileSync(0, "utf8")) as object;
const before = heapUsed();
const begin = performance.now();
const plans = planOf(vnfs);
const milliseconds = performance.now() - begin;
const cost: PlanCost = { milliseconds, heap: (heapUsed() - before) / 2 ** 20 };
// the plan is used after the heap is read, so it was there
process.stdout.write(JSON.stringify({ ...cost, servers: plans.flatMap(serversOf).length }));

function heapUsed(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed;
}
