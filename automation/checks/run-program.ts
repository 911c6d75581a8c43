import { spawn, type ChildProcess } from "node:child_process";
import { keepOutput } from "../../components/run/output";
import { Fault } from "../fault";

/** The result of a program. */
export interface ProgramResult {
  /** Exit status. Undefined: vnfm ended the program, after its time limit or because of too much output. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Time in milliseconds that a program has to clean up after SIGTERM. */
const CLEAN_UP = 5000;

/** Running programs. Each has its own process group, which does not end with this process. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const { pid } of running) killGroup(pid, "SIGTERM");
});

/**
 * Runs a program with a text on its standard input. The program is ended if its output is larger than that of a script
 * may be, and at the end of this process.
 * @param seconds time limit, after which it is ended with all of its child processes
 * @param env variables in addition to those of this process
 * @throws Fault if there is no such program, or `signal` has ended it
 */
export function runProgram(
  program: string,
  args: readonly string[],
  how: {
    readonly input: string;
    readonly seconds: number;
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
  },
  signal?: AbortSignal,
): Promise<ProgramResult> {
  // in a separate process group, so that a shell's children end with it and it can remove its files
  const child = spawn(program, args, { cwd: how.cwd, env: { ...process.env, ...how.env }, detached: true });
  let isEnded = false;
  let killer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isEnded = true;
    killGroup(child.pid, "SIGTERM");
    killer = setTimeout(() => killGroup(child.pid, "SIGKILL"), CLEAN_UP);
  };
  const output = keepOutput(child, () => {
    if (!isEnded) end();
  });
  child.stdin.on("error", () => undefined); // its status says why it read no further
  child.stdin.end(how.input);
  const timer = setTimeout(end, how.seconds * 1000);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  running.add(child);
  return new Promise<ProgramResult>((done, fail) => {
    child.on("error", (error: NodeJS.ErrnoException) =>
      fail(error.code === "ENOENT" ? new Fault(`${program} is not installed: install it`) : error),
    );
    child.on("close", (status) => {
      const { stdout, stderr } = output();
      if (signal?.aborted) fail(new Fault("stopped"));
      else done({ status: isEnded ? undefined : (status ?? undefined), stdout, stderr });
    });
  }).finally(() => {
    clearTimeout(timer);
    clearTimeout(killer);
    signal?.removeEventListener("abort", end);
    running.delete(child);
  });
}

function killGroup(leader: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // it has ended already
  }
}
