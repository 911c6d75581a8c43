import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";

/** For `others` of a run in which what is waited for never comes. */
export const AT_ONCE = { "within 2": "within 0" };

/** Programs that answer a script as those of a server would, and a file `told` of what they note; new for each test. */
export class StandIns {
  folder = "";

  constructor() {
    beforeEach(() => (this.folder = mkdtempSync(join(tmpdir(), "vnfm-stand-ins-"))));
    afterEach(() => rmSync(this.folder, { recursive: true }));
  }

  /** A path in the folder. */
  at(path: string): string {
    return join(this.folder, path);
  }

  /**
   * Puts a program into the folder. Where its arguments have `-f -`, it reads standard input to the end before it
   * ends, as kubectl does. Else a script that pipes text into it could die of SIGPIPE, if the program is the faster one.
   *
   * @param text of a bash script
   */
  program(name: string, text: string): void {
    const file = this.at(name);
    writeFileSync(file, `#!/bin/bash\n[[ "$*" != *"-f -"* ]] || trap 'cat >/dev/null' EXIT\n${text}`);
    chmodSync(file, 0o755);
  }

  /** What the programs have noted; empty for nothing. */
  told(): string {
    return this.read("told");
  }

  /** What is in a file of the folder; empty for none. */
  read(name: string): string {
    const file = this.at(name);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Of a program: `once WHAT` fails the first time. */
  once(): string {
    return `once() { [ -e "${this.at("asked")}-$1" ] || { : >"${this.at("asked")}-$1"; exit 1; }; }`;
  }

  /**
   * Runs a script with the programs, its files in the folder, and waits of seconds instead of minutes.
   *
   * @param others what else of its text is another one
   * @returns undefined for success, else what the script said
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
