/** The completion of a command line: candidates by the table of verbs and the stack configs, and the script of bash. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../../../../automation/command-line/arguments";
import { candidates } from "../../../../automation/command-line/completion";
import { namesIn } from "../../../../automation/command-line/completion-names";
import { completionScript, SHELLS } from "../../../../automation/command-line/completion-scripts";
import { COMMANDS } from "../../../../automation/commands";
import { UsageFault } from "../../../../automation/fault";
import { toYaml } from "../../../../components/base/yaml/yaml";
import { clusterVnf, webCnf } from "../../../support/configs";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-completion-"));
  const write = (stack: string, vnfs: object) =>
    writeFileSync(join(folder, `Pulumi.${stack}.yaml`), toYaml({ config: { "vnfm:vnfs": vnfs } }));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: a\nruntime: nodejs\n");
  write("site-1", { "vnf-a": clusterVnf(2), web: webCnf("web") });
  write("site-2", { "vnf-z": clusterVnf(1) });
  writeFileSync(join(folder, "Pulumi.broken.yaml"), "config: [");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The candidates for the last word of a line, which ends where that begins. */
const complete = (line: string) => candidates(line.split(" "), COMMANDS, (stack) => namesIn(folder, stack));

it.each([
  ["", COMMANDS.map(({ name }) => name)],
  ["sc", ["scale", "schema"]],
  ["scale ", ["vnf-a", "vnf-z", "web"]],
  ["scale --stack site-2 ", ["vnf-z"]],
  ["scale --stack=site-2 ", ["vnf-z"]],
  ["-s site-2 scale ", ["vnf-z"]],
  ["scale vnf-a ", ["worker_instance="]],
  ["heal vnf-a ", ["masterNode-1", "workerNode-1", "workerNode-2"]],
  ["heal vnf-a workerNode-1 worker", ["workerNode-2"]],
  ["ssh vnf-a masterNode-1 ", []],
  ["rotate vnf-a ssh_key s", ["service_account"]],
  ["up --stack ", ["broken", "site-1", "site-2"]],
  ["up --js", ["--json"]],
  ["up --wait ", []],
  ["package ", ["cluster-api"]],
  ["package cluster-api ", []],
  ["completion ", ["bash", "zsh", "fish"]],
  ["heal nothing ", []],
  ["unheard-of ", []],
])("the line %j is completed with %j", (line, words) => {
  expect(complete(line)).toEqual(words);
});

it("completion prints a script of each shell, and refuses another one", () => {
  const printed = SHELLS.map((shell) => completionScript(shell) ?? "");
  expect(printed.every((script) => script.includes("vnfm completion words --"))).toBe(true);
  const { run } = readArguments(["completion", "csh"], COMMANDS);
  expect(() => run()).toThrow(new UsageFault('"csh" is not one of bash, fish, zsh; did you mean "zsh"?'));
});

describe("in bash", () => {
  /** The words that bash is given for a line, of a vnfm that prints these. */
  function reply(line: string, ...found: readonly string[]): unknown {
    const script = `${completionScript("bash")}
      vnfm() { printf '%s\\n' "$*" >&2; printf '%s\\n' ${found.map((one) => `'${one}'`).join(" ")}; }
      COMP_LINE='${line}' COMP_POINT=${line.length}
      _vnfm
      printf '%s|' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    return stdout.split("|").slice(0, -1);
  }

  it("takes each line of the answer as a word, and runs nothing of it", () => {
    expect(reply("vnfm heal vnf-a ", "workerNode-1", "$(touch /tmp/never)")).toEqual([
      "workerNode-1",
      "$(touch /tmp/never)",
    ]);
  });

  it("completes a word with = by what follows that, where bash begins a word", () => {
    expect(reply("vnfm up --stack=si", "--stack=site-1")).toEqual(["site-1"]);
  });
});
