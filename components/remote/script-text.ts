import { readFileSync } from "node:fs";
import { join } from "node:path";

/** As in `timeout`. */
export const SCRIPT_TIME_LIMIT = "25m";

/** A script of remote/scripts with what is in front of every one of them; its data comes before it. */
export function scriptText(script: string): string {
  return SCRIPT_PRELUDE + readFileSync(join(__dirname, "scripts", script), "utf8");
}

/**
 * A script of remote/scripts that runs where Pulumi runs, for `bash -s`, with the SSH client in front of it; its data
 * comes before.
 */
export function clientScriptText(script: string): string {
  return CLIENT_PRELUDE + readFileSync(join(__dirname, "scripts", script), "utf8");
}

const CLIENT_PRELUDE = readFileSync(join(__dirname, "scripts", "ssh-client.sh"), "utf8");
const SCRIPT_PRELUDE = readFileSync(join(__dirname, "scripts", "prelude.sh"), "utf8");
