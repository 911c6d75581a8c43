import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "../kube/objects/object";

/**
 * Shell script that starts the plugin with a memory limit, and ends it at the end of its standard input, so that it
 * ends with this program in any case. `ulimit -d` counts the memory that a process has written or may write; Go
 * reserves far more address space. The exit status is that of the plugin.
 */
const SUPERVISOR = `trap '' INT TERM HUP
ulimit -d "$1"; ulimit -c 0
"$0" &
exec >&-
read -r _
kill -9 $! 2>&-
wait $!`;

/**
 * Starts a plugin outside of a run of Pulumi. It ends once its standard input is closed.
 * @param kibibytes limit of its memory. @default none
 */
export function startPlugin(
  program: string,
  {
    kibibytes,
    ...options
  }: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly kibibytes?: number },
): ChildProcessWithoutNullStreams {
  const args = ["-c", SUPERVISOR, program, String(kibibytes ?? "unlimited")];
  const child = spawn("sh", args, { ...options, stdio: "pipe" });
  // it may have ended by itself
  child.stdin.on("error", () => undefined);
  return child;
}

/** The port of a plugin: the first line of its output. It does not settle if the plugin ends before. */
export async function portOf({ stdout }: Pick<ChildProcessWithoutNullStreams, "stdout">): Promise<string> {
  const [port] = (await once(createInterface(stdout), "line")) as [string];
  return port;
}

/** Folder into which the engine installs a release of a plugin. */
export function pluginFolder(name: string, version: string): string {
  const home = text(process.env["PULUMI_HOME"]) ?? join(homedir(), ".pulumi");
  return join(home, `plugins/resource-${name}-v${version}`);
}

/** The program of a plugin, as the engine has installed it or finds it on PATH. Undefined: there is none. */
export function pluginProgram(name: string, version: string): string | undefined {
  const onPath = (process.env["PATH"] ?? "").split(delimiter).filter((path) => isAbsolute(path));
  return [pluginFolder(name, version), ...onPath]
    .map((path) => join(path, `pulumi-resource-${name}`))
    .find((path) => existsSync(path));
}
