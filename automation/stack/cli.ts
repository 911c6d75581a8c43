import { spawn } from "node:child_process";
import { localExceptions } from "../../components/base/net/proxy";
import { withoutUrlPasswords } from "../../components/base/text";
import { Fault } from "../fault";

/**
 * Time limit for a command of the CLI, in milliseconds. These commands only read and write the state, which may be on a
 * server.
 */
const PATIENCE_MS = 600_000;

/** Variables for the environment of the CLI, in addition to that of this process. */
export type Variables = Readonly<Record<string, string>>;

/**
 * Runs the `pulumi` on PATH in the folder of a project.
 * @returns standard output
 * @throws Fault with the CLI's standard error, or if there is no CLI
 */
export function pulumi(
  folder: string,
  args: readonly string[],
  input = "",
  variables: Variables = {},
): Promise<string> {
  return new Promise((done, fail) => {
    // a hint about a newer version has no reader here
    const env = { ...process.env, ...localExceptions(), PULUMI_SKIP_UPDATE_CHECK: "true", ...variables };
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], { cwd: folder, env });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => stdout.push(part));
    child.stderr.on("data", (part: Buffer) => stderr.push(part));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      // a plugin that it has started may hold them open
      for (const stream of child.stdio) stream?.destroy();
      fail(new Fault(`pulumi ${args.slice(0, 2).join(" ")} did not end within ${PATIENCE_MS / 1000} s`));
    }, PATIENCE_MS);
    child.on("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "ENOENT"
          ? new Fault(
              "pulumi is not on PATH: install it; in a checkout of vnfm `npm run pulumi -- version` does so",
            )
          : error,
      ),
    );
    child.on("close", (status) => {
      clearTimeout(timer);
      if (status === 0) done(Buffer.concat(stdout).toString());
      else {
        const message = withoutUrlPasswords(Buffer.concat(stderr).toString().trim());
        fail(new Fault(`pulumi ${args.slice(0, 2).join(" ")} ended with status ${status}: ${message}`));
      }
    });
    child.stdin.on("error", () => undefined); // its status says why it read no further
    child.stdin.end(input);
  });
}
