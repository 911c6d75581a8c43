import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RESULT_MARK, shellAssignments } from "./shell";

/** How long a script may run, as `timeout` takes it. */
export const SCRIPT_TIME_LIMIT = "25m";

/** Files in remote/scripts: a script, after those whose functions it uses. */
export type ScriptFiles = string | readonly string[];

/**
 * The text of a script of remote/scripts, after prelude.sh and those of functions.sh that it uses. Whoever runs it puts
 * its data in front. The state has this text twice for each server, and the engine writes the whole state before and
 * after each resource that changes: so comments and indentation, which bash does not read, are left out.
 */
export function scriptText(files: ScriptFiles): string {
  const own = [files].flat().map(readScript).map(condensed).join("");
  return PRELUDE + withFunctions(own, FUNCTIONS);
}

/**
 * The text of a script of remote/scripts that runs on the machine that runs Pulumi, after the SSH client that it uses.
 * Whoever runs it, with `bash -s`, puts its data in front.
 */
export function clientScriptText(script: string): string {
  return (
    shellAssignments({ result_mark: RESULT_MARK }) +
    condensed(readScript("ssh-client.sh") + readScript(script))
  );
}

/** A script without comments and indentation. They go from a string of several lines too, so none may need them. */
export function condensed(script: string): string {
  return script.replaceAll(/^[ \t]*(#.*\n)?/gm, "");
}

interface ScriptFunction {
  readonly name: string;
  readonly text: string;
}

/** A script after the functions whose names are in it, and the functions whose names are in these. */
export function withFunctions(text: string, functions: readonly ScriptFunction[]): string {
  const isNamed = ({ name }: ScriptFunction) => new RegExp(`\\b${name}\\b`).test(text);
  const named = functions.filter(isNamed);
  if (named.length === 0) return text;
  const others = functions.filter((one) => !isNamed(one));
  return withFunctions(named.map((one) => one.text).join("") + text, others);
}

/** The functions of a file that has nothing else. Each ends with a `}` at the beginning of a line, or is one line. */
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
