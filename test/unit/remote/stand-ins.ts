import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";

/** Value for `others`, for a run in which a condition is never fulfilled: it does not wait. */
export const AT_ONCE = { "within 2": "within 0" };

/** Programs that replace those of a server for a script, and log their calls in a file. A new set for each test. */
export class StandIns {
  folder = "";

  constructor() {
    beforeEach(() => (this.folder = mkdtempSync(join(tmpdir(), "vnfm-stand-ins-"))));
    afterEach(() => rmSync(this.folder, { recursive: true }));
  }

  /** Returns a path in the folder. */
  at(path: string): string {
    return join(this.folder, path);
  }

  /**
   * Writes a program into the folder. If its arguments contain `-f -`, it reads standard input to the end, as kubectl
   * does; otherwise a script that pipes text into it could die of SIGPIPE.
   *
   * @param text text of a bash script
   */
  program(name: string, text: string): void {
    const file = this.at(name);
    writeFileSync(file, `#!/bin/bash\n[[ "$*" != *"-f -"* ]] || trap 'cat >/dev/null' EXIT\n${text}`);
    chmodSync(file, 0o755);
  }

  /** Returns the log of the programs; empty if there is none. */
  log(): string {
    return this.read("told");
  }

  /** Reads a file of the folder; empty if it does not exist. */
  read(name: string): string {
    const file = this.at(name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Returns the bash function `once WHAT` for a program: it fails at its first call for WHAT. */
  once(): string {
    return `once() { [ -e "${this.at("asked")}-$1" ] || { : >"${this.at("asked")}-$1"; exit 1; }; }`;
  }

  /**
   * Runs a script with these programs, its files in the folder, and waits of seconds instead of minutes.
   *
   * @param others further replacements in the script's text
   * @returns undefined for success, else the script's error output
   */
  run(
    script: string,
    action: string,
    data: Readonly<Record<string, string>>,
    others: Readonly<Record<string, string>> = {},
  ): string | undefined {
    const text = scriptText(script)
      .replace("PATH=/", `PATH=${this.folder}:/`)
      .replaceAll(/\/(run|etc\/kubernetes|var\/lib)\/vnfm/g, this.at("vnfm"))
      .replaceAll("/etc/", `${this.folder}/etc/`)
      .replaceAll("within 120", "within 2")
      .replaceAll("sleep 0.5", "sleep 0.2");
    const changed = Object.entries(others).reduce((all, [from, to]) => all.replaceAll(from, to), text);
    const input = shellAssignments(data) + changed;
    const { status, stderr } = spawnSync("bash", ["-s", action], { input, encoding: "utf8" });
    return status === 0 ? undefined : stderr;
  }
}
