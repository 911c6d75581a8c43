import { execFile } from "node:child_process";
import { Fault } from "./fault";

/** How a program ended. */
export interface Answer {
  /** Undefined: it was ended after its time. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program with a text on its standard input.
 *
 * @param seconds after which it is ended
 * @param env beside that of this process
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
): Promise<Answer> {
  const { input, seconds, env, cwd } = how;
  const limits = { timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: 1 << 20 } as const;
  return new Promise((done, fail) => {
    const child = execFile(
      program,
      args,
      { env: { ...process.env, ...env }, ...limits, ...(cwd && { cwd }), ...(signal && { signal }) },
      (error, stdout, stderr) => {
        if (signal?.aborted) fail(new Fault("stopped"));
        else if (error?.code === "ENOENT") fail(new Fault(`there is no ${program}: install it`));
        else {
          const status = error === null ? 0 : typeof error.code === "number" ? error.code : undefined;
          done({ status, stdout, stderr });
        }
      },
    );
    child.stdin?.on("error", () => undefined); // its status says why it read no further
    child.stdin?.end(input);
  });
}
