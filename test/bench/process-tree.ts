import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const PAGE_SIZE = 4096;
const GROUPS = ["CLI", "language host", "plugins", "other"] as const;
export type ProcessGroup = (typeof GROUPS)[number];

/** Peak of resident memory in MiB: of all processes together, and of each group. */
export type PeakMemory = Readonly<Record<ProcessGroup | "all", number>>;

/** Runs an action. @returns the peak memory of the processes that it starts, by ten samples a second */
export async function peakMemory(action: () => Promise<unknown>): Promise<PeakMemory> {
  const peak = { all: 0, CLI: 0, "language host": 0, plugins: 0, other: 0 };
  const timer = setInterval(() => {
    const now = residentMemory();
    for (const group of GROUPS) peak[group] = Math.max(peak[group], now[group]);
    peak.all = Math.max(
      peak.all,
      GROUPS.reduce((sum, group) => sum + now[group], 0),
    );
  }, 100);
  try {
    await action();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

/** Sums up the memory of this process' descendants. Shared pages count in each process. */
function residentMemory(): Record<ProcessGroup, number> {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const memory = { CLI: 0, "language host": 0, plugins: 0, other: 0 };
  const visit = (pid: number): void => {
    for (const child of children.get(pid) ?? []) {
      memory[groupOf(child)] += residentOf(child);
      visit(child);
    }
  };
  visit(process.pid);
  return memory;
}

function parentOf(pid: number): number | undefined {
  // "pid (name) state parent ...": the name may contain blanks and brackets
  const [, parent] = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return parent === undefined ? undefined : Number(parent);
}

function residentOf(pid: number): number {
  const [, pages = "0"] = read(`/proc/${pid}/statm`).split(" ");
  return (Number(pages) * PAGE_SIZE) / 2 ** 20;
}

function groupOf(pid: number): ProcessGroup {
  const program = programOf(pid);
  if (program === "pulumi") return "CLI";
  if (program === "node" || program === "pulumi-language-nodejs") return "language host";
  return program.startsWith("pulumi-resource-") ? "plugins" : "other";
}

/** Returns the name of a process' program; empty if the process has ended. */
function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return "";
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
