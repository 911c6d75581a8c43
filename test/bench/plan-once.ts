/** Plans a stack once, with the config from stdin, and prints time and memory as JSON: a program for one process. */
import { readFileSync } from "node:fs";
import { serversOf } from "../../components/plan/model";
import { planOf } from "./plans";

/** Time and memory of one plan. */
export interface PlanCost {
  readonly milliseconds: number;
  /** Heap in use after planning, in MiB. */
  readonly heap: number;
}

const vnfs = JSON.parse(readFileSync(0, "utf8")) as object;
const before = heapUsed();
const begin = performance.now();
const plans = planOf(vnfs);
const milliseconds = performance.now() - begin;
const cost: PlanCost = { milliseconds, heap: (heapUsed() - before) / 2 ** 20 };
// the plan is used after the heap is measured, so that it was still in memory
process.stdout.write(JSON.stringify({ ...cost, servers: plans.flatMap(serversOf).length }));

function heapUsed(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed;
}
