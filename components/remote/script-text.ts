import { readFileSync } from "node:fs";
import { join } from "node:path";

/** As in `timeout`. */
export const SCRIPT_TIME_LIMIT = "25m";

/** Files in remote/scripts: a script, after those whose functions it uses. */
export type ScriptFiles = string | readonly string[];

/** A script of remote/scripts with what is in front of every one of them; its data comes before it. */
export function scriptText(files: ScriptFiles): string {
  return SCRIPT_PRELUDE + [files].flat().map(readScript).join("");
}

/**
 * A script of remote/scripts that runs where Pulumi runs, for `bash -s`, with the SSH client in front of it; its data
 * comes before.
 */
export function clientScriptText(script: string): string {
  return CLIENT_PRELUDE + readScript(script);
}

const CLIENT_PRELUDE = readScript("ssh-client.sh");
const SCRIPT_PRELUDE = readScript("prelude.sh");

function readScript(file: string): string {
  return readFileSync(join(__dirname, "scripts", file), "utf8");
}
