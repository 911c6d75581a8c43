import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { programArguments } from "../../../components/remote/program-command";
import { RUN_SCRIPT } from "../../../components/remote/script-step";
import { AnsweringHosts } from "../automation/answering-hosts";

const hosts = new AnsweringHosts();

/** Runs a step whose host prints a result and a note, and ends with a status. */
function step(verb: string, status: number, leaves = false) {
  const input = JSON.parse(hosts.answer("10.0.0.5", `echo result; echo note >&2; exit ${status}`)) as object;
  const { stdout, stderr } = spawnSync(process.execPath, [...programArguments(RUN_SCRIPT), verb], {
    input: JSON.stringify({ ...input, leaves }),
    env: { ...process.env, VNFM_SCRIPT: "install-cni.sh hash" },
    encoding: "utf8",
  });
  return { stdout: stdout.trim(), stderr: stderr.trim() };
}

it("the program gives the engine the result alone of a step that ended well, as the state keeps all that is printed", () => {
  expect(step("create", 0)).toEqual({ stdout: "result", stderr: "" });
});

it("the program gives the engine the notes alone of a step that failed, as a result may be a secret", () => {
  expect(step("create", 3)).toEqual({ stdout: "", stderr: "note" });
});

it("the program gives both of a question", () => {
  expect(step("check", 0)).toEqual({ stdout: "result", stderr: "note" });
});

it("the program gives the notes of a step of a server that leaves, which the engine shows", () => {
  expect(step("delete", 0, true)).toEqual({ stdout: "result", stderr: "note" });
});

describe("the deletion of a step whose server hands over before", () => {
  const [OWN, OTHER] = ["10.0.0.1", "10.0.0.2"];
  /** Each host notes what it is asked, with the first argument of the script. @param statuses by host and argument */
  function leave(statuses: Readonly<Record<string, number>> = {}) {
    const told = join(mkdtempSync(join(tmpdir(), "vnfm-leaves-")), "told");
    const answers = [OWN, OTHER].map((host) => {
      const cases = Object.entries(statuses).map(([what, status]) => `'${what}') exit ${status} ;;`);
      const answer = `verb=\${*: -1}; echo "${host} $verb" >>${told}; case "${host} $verb" in ${cases.join(" ")} esac`;
      return (JSON.parse(hosts.answer(host, answer)) as { reach: { hosts: object[] } }).reach;
    });
    const [handover] = answers;
    const reach = { ...handover, hosts: answers.flatMap((one) => one.hosts) };
    const { stderr, status } = spawnSync(process.execPath, [...programArguments(RUN_SCRIPT), "delete"], {
      input: JSON.stringify({ reach, handover, data: {} }),
      env: { ...process.env, VNFM_SCRIPT: "membership.sh hash" },
      encoding: "utf8",
    });
    const asked = readFileSync(told, "utf8").trim().split("\n");
    rmSync(dirname(told), { recursive: true });
    return { asked, status, stderr: stderr.trim() };
  }

  it("drains on another server, hands over on its own, and deletes on the other", () => {
    expect(leave()).toEqual({
      asked: [`${OTHER} drain`, `${OWN} delete`, `${OTHER} delete`],
      status: 0,
      stderr: "",
    });
  });

  it("ends where the drain fails, and what is served stays", () => {
    expect(leave({ [`${OTHER} drain`]: 3 })).toEqual({ asked: [`${OTHER} drain`], status: 3, stderr: "" });
  });

  it("goes on with a line where its own server does not hand over", () => {
    expect(leave({ [`${OWN} delete`]: 1 })).toEqual({
      asked: [`${OTHER} drain`, `${OWN} delete`, `${OTHER} delete`],
      status: 0,
      stderr: `${OWN} is deleted without its preparation: it reported the above`,
    });
  });
});

describe("a step of a node that a master admits to its cluster", () => {
  const [NODE, MASTER] = ["10.0.0.1", "10.0.0.2"];
  /** Each host notes the first argument of the script, and its admission. @param statuses by host and argument */
  function admit(verb: string, statuses: Readonly<Record<string, number>> = {}) {
    const notes = join(mkdtempSync(join(tmpdir(), "vnfm-admits-")), "notes");
    const [node, master] = [NODE, MASTER].map((host) => {
      const cases = Object.entries(statuses).map(([what, status]) => `'${what}') exit ${status} ;;`);
      const admission = `$(sed -n "/^admission='/,/'$/p" ${hosts.inputOf(host)} | tr '\\n' ' ')`;
      const answer = `verb=\${*: -1}; echo "${host} $verb ${admission}" >>${notes}
        case "${host} $verb" in ${cases.join(" ")} esac
        [ "${host} $verb" != "${MASTER} create" ] || printf '%s\\n' abcdef.secret keys`;
      return (JSON.parse(hosts.answer(host, answer)) as { reach: object }).reach;
    });
    const { stdout, status } = spawnSync(process.execPath, [...programArguments(RUN_SCRIPT), verb], {
      input: JSON.stringify({ reach: node, admission: master, data: { node_name: "vm" } }),
      env: { ...process.env, VNFM_SCRIPT: "join-node.sh hash" },
      encoding: "utf8",
    });
    const steps = readFileSync(notes, "utf8").trim().split("\n");
    rmSync(dirname(notes), { recursive: true });
    return { steps: steps.map((line) => line.trim()), status, stdout: stdout.trim() };
  }
  const ADMITTED = "admission='abcdef.secret keys'";

  it.each(["create", "update"])("gives it what the master prints, and has that revoked (%s)", (verb) => {
    expect(admit(verb)).toEqual({
      steps: [`${MASTER} create`, `${NODE} ${verb} ${ADMITTED}`, `${MASTER} delete`],
      ...{ status: 0, stdout: "" },
    });
  });

  it("does not begin where the master admits nobody", () => {
    expect(admit("create", { [`${MASTER} create`]: 3 })).toMatchObject({
      steps: [`${MASTER} create`],
      status: 3,
    });
  });

  it("fails as the node does, and has the token revoked all the same", () => {
    const failing = { [`${NODE} create`]: 4, [`${MASTER} delete`]: 5 };
    const { steps, status } = admit("create", failing);
    expect([steps.at(-1), status]).toEqual([`${MASTER} delete`, 4]);
  });

  it("fails where the token cannot be revoked", () => {
    expect(admit("create", { [`${MASTER} delete`]: 5 }).status).toBe(5);
  });
});

describe("a step with a receipt", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "vnfm-receipts-"));
    const ssh = `#!/bin/bash
cat >"${folder}/input"
command=\${!#}
command=\${command#echo; echo }
printf '\\n%s\\n%s' "\${command%%;*}" "$PRINTS"
exit "$STATUS"
`;
    writeFileSync(join(folder, "ssh"), ssh, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const login = { user: "debian", keys: ["key"] };
  const at = { hosts: [{ host: "10.0.0.5", hostKey: "ssh-ed25519 AAAA" }], login, tries: 1, seconds: 60 };

  /** @returns what it gives its script as `not_before`. Undefined: nothing */
  const run = (verb: string, { prints = "", status = 0, receipt = "a" } = {}) => {
    const { stderr } = spawnSync(process.execPath, [...programArguments(RUN_SCRIPT), verb], {
      input: JSON.stringify({ reach: at, data: { node_name: "vm" }, receipt }),
      env: {
        ...process.env,
        ...{ PATH: `${folder}:${process.env["PATH"]}`, TMPDIR: folder, VNFM_SCRIPT: "install-cni.sh hash" },
        ...{ PRINTS: prints, STATUS: String(status) },
      },
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const [, value] = /^not_before='(.*)'$/m.exec(readFileSync(join(folder, "input"), "utf8")) ?? [];
    return value;
  };

  it("has what the one before it has printed at its end, until it has begun", () => {
    expect(run("create")).toBe("");
    expect(run("delete", { prints: "2026-11-23T03:05:00Z\n" })).toBeUndefined();
    expect(run("create", { receipt: "b" })).toBe("");
    expect(run("create", { status: 1 })).toBe("2026-11-23T03:05:00Z");
    expect(run("create")).toBe("2026-11-23T03:05:00Z");
    expect(run("create")).toBe("");
  });

  it("keeps what is known where the next one has nothing to print, or fails", () => {
    run("delete", { prints: "first" });
    run("delete");
    run("delete", { prints: "second", status: 1 });
    expect(run("begun")).toBeUndefined();
    expect(run("update")).toBe("first");
  });

  it("writes it where nobody else may read", () => {
    run("delete", { prints: "first" });
    const own = join(folder, `vnfm-${userInfo().uid}`);
    expect([own, join(own, "receipt-a")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  });
});
