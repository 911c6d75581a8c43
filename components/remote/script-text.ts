import { readFileSync } from "node:fs";
import { join } from "node:path";

/** As in `timeout`. */
export const SCRIPT_TIME_LIMIT = "25m";

/** Files in remote/scripts: a script, after those whose functions it uses. */
export type ScriptFiles = string | readonly string[];

/**
 * A script of remote/scripts with what is in front of every one of them and the functions that it shares with others;
 * its data comes before it. The state has it twice for each server, and the engine writes all of it again before and
 * after each resource that changes: so there is nothing in it that bash does not read.
 */
export function scriptText(files: ScriptFiles): string {
  const own = [files].flat().map(readScript).map(condensed).join("");
  return PRELUDE + withFunctions(own, FUNCTIONS);
}

/**
 * A script of remote/scripts that runs where Pulumi runs, for `bash -s`, with the SSH client in front of it; its data
 * comes before.
 */
export function clientScriptText(script: string): string {
  return condensed(readScript("ssh-client.sh") + readScript(script));
}

/** Without comments and indentation, which must mean nothing in a string of several lines either. */
export function condensed(script: string): string {
  return script.replaceAll(/^[ \t]*(#.*\n)?/gm, "");
}

interface ScriptFunction {
  readonly name: string;
  readonly text: string;
}

/** The text after those of the functions whose names are in it, or in one of them. */
export function withFunctions(text: string, functions: readonly ScriptFunction[]): string {
  const isNamed = ({ name }: ScriptFunction) => new RegExp(`\\b${name}\\b`).test(text);
  const named = functions.filter(isNamed);
  if (named.length === 0) return text;
  const others = functions.filter((one) => !isNamed(one));
  return withFunctions(named.map((one) => one.text).join("") + text, others);
}

/** The functions of a file that has nothing else, each with its end, or all of it, at the beginning of a line. */
function functionsOf(script: string): ScriptFunction[] {
  return [...script.matchAll(/^(\w+)\(\) \{(?: .* \}|\n[^]*?^\})\n/gm)].map(([text, name = ""]) => ({
    name,
    text: condensed(text),
  }));
}

const PRELUDE = condensed(readScript("prelude.sh"));
const FUNCTIONS = functionsOf(readScript("functions.sh"));

function readScript(file: string): string {
  return readFileSync(join(__dirname, "scripts", file), "utf8");
}
