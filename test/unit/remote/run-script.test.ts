import { spawnSync } from "node:child_process";
import { RUN_SCRIPT } from "../../../components/remote/script-step";
import { AnsweringHosts } from "../automation/answering-hosts";

const hosts = new AnsweringHosts();

/** Runs a step whose host prints a result and a note, and ends with a status. */
function step(verb: string, status: number, leaves = false) {
  const input = JSON.parse(hosts.answer("10.0.0.5", `echo result; echo note >&2; exit ${status}`)) as object;
  const { stdout, stderr } = spawnSync(process.execPath, [RUN_SCRIPT, verb], {
    input: JSON.stringify({ ...input, leaves }),
    env: { ...process.env, VNFM_SCRIPT: "hosts.sh hash" },
    encoding: "utf8",
  });
  return { stdout: stdout.trim(), stderr: stderr.trim() };
}

it("gives the engine the result alone of a step that ended well, as the state keeps all that is printed", () => {
  expect(step("create", 0)).toEqual({ stdout: "result", stderr: "" });
});

it("gives the engine the notes alone of a step that failed, as a result may be a secret", () => {
  expect(step("create", 3)).toEqual({ stdout: "", stderr: "note" });
});

it("gives both of a question", () => {
  expect(step("check", 0)).toEqual({ stdout: "result", stderr: "note" });
});

it("gives the notes of a step of a server that leaves, which the engine shows", () => {
  expect(step("delete", 0, true)).toEqual({ stdout: "result", stderr: "note" });
});
