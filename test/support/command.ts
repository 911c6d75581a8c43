import { execFile } from "node:child_process";
import { resolve } from "node:path";

/** Root of the repository. */
export const REPOSITORY = resolve(__dirname, "../..");

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; an exit status other than 0 is a result, not an error. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Promise<CommandResult> {
  return new Promise((done) => {
    const child = execFile(
      program,
      args,
      { cwd: options.cwd ?? REPOSITORY, env: { ...process.env, ...options.env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
        done({ status, stdout, stderr });
      },
    );
    // a program may end before it has read its input; its exit status shows whether that is a failure
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input ?? "");
  });
}

/** Runs a command that must succeed. @returns its standard output. */
export async function mustRun(...args: Parameters<typeof run>): Promise<string> {
  const { status, stdout, stderr } = await run(...args);
  if (status !== 0)
    throw new Error(`${args[0]} ${args[1].join(" ")} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}
