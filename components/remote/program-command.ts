import { relative } from "node:path";
import { shellQuote } from "./shell.cjs";

/**
 * The command that runs a program with node, on the machine that runs Pulumi. The program's path is that from the
 * project's folder, so that the command is the same on another machine.
 */
export function programCommand(path: string): string {
  return `exec node ${shellQuote(relative(process.cwd(), path))}`;
}
