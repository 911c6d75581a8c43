/** The script that takes another to a master that is alive, with an ssh that answers as one would. */
import { spawnSync } from "node:child_process";
import { clientScriptText } from "../../../components/remote/script-text";
import { RESULT_MARK, shellAssignments } from "../../../components/remote/shell";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const [FIRST, SECOND, THIRD, SHARED] = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"];

/**
 * @param alive addresses that take connections, in the order in which they do
 * @param answers of each address, one after the other: an exit status, and what is on standard output then
 * @param others address that takes connections and does not answer, and that of a server in no cluster; whether the one
 * that started it ends as soon as the script runs somewhere
 */
function run(
  verb: string,
  alive: readonly string[],
  answers: Readonly<Record<string, readonly number[]>>,
  { hung = "nobody", outside = "nobody", isCutOff = false } = {},
) {
  const { folder } = standIns;
  // in the order of the addresses: each waits for its turn
  const turns = alive.map((address, i) => `[ "$7" != ${address} ] || exec /bin/sleep 0.${i}`);
  standIns.program(
    "timeout",
    [
      // of ssh; a hung one is ended
      `if [ "$1" = --foreground ]; then case "$4 $*" in "20 "*" ${hung} "*) exit 137 ;; esac; shift 4; exec "$@"; fi`,
      ...turns,
      `case " ${alive.join(" ")} " in *" $7 "*) ;; *) exit 1 ;; esac`,
    ].join("\n"),
  );
  standIns.program("sleep", `[ "$1" = 5 ] || exec /bin/sleep "$1"; echo sleeps >>${folder}/told`);
  const cases = Object.entries(answers).map(
    ([address, statuses]) => `${address}) statuses=(${statuses.join(" ")}) ;;`,
  );
  standIns.program(
    "ssh",
    `while [ "$1" != -- ]; do shift; done
    case $2 in ${cases.join(" ")} esac
    given=$(tail -n 1)
    case $given in *vnfm-complete*) [ "$2" != ${outside} ]; exit ;; esac
    at=$(grep -c "^$2 " ${folder}/told 2>/dev/null)
    echo "$2 $3 $given" >>${folder}/told
    ${isCutOff ? "/bin/sleep 0.5" : ""}
    echo "from .bashrc"; echo "${RESULT_MARK}"; echo "output of $2"; echo "words of $2" >&2
    exit "\${statuses[at]-0}"`,
  );
  const data = {
    login_user: "debian",
    login_password: "",
    login_keys: "key\n-----END",
    host_key: "ssh-ed25519 AAAA",
    masters: [FIRST, SECOND, THIRD, SHARED].join(" "),
    remote_command: "bash -s @VERB@",
    remote_script: "the script",
  };
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const input = shellAssignments(data) + clientScriptText("any-master.sh");
  const command = isCutOff
    ? ["-c", `exec 3<&0; bash -s ${verb} <&3 & until [ -s ${folder}/told ]; do sleep 0.05; done`]
    : ["-s", verb];
  const { status, stdout, stderr } = spawnSync("bash", command, { input, env, encoding: "utf8" });
  return { status, stdout, stderr, told: standIns.told().trim().split("\n") };
}

const asked = (address: string, verb = "create") => `${address} bash -s ${verb} the script`;

it("runs on the first that takes connections, whichever are dead", () => {
  const { status, stdout, told } = run("create", [SECOND, THIRD], { [SECOND]: [0] });
  expect([status, stdout, told]).toEqual([0, `output of ${SECOND}\n`, [asked(SECOND)]]);
});

it("prefers the first of them, so that scripts at the same time meet there", () => {
  const { told } = run("create", [SHARED, THIRD, SECOND, FIRST], {});
  expect(told).toEqual([asked(FIRST)]);
});

it("goes to the address that they share where the first three are dead", () => {
  const { status, told } = run("create", [SHARED], {});
  expect([status, told]).toEqual([0, [asked(SHARED)]]);
});

it("goes to another one where the connection breaks", () => {
  const { status, stdout, told } = run("delete", [FIRST, SECOND, THIRD], { [FIRST]: [255] });
  expect([status, stdout]).toEqual([0, `output of ${SECOND}\n`]);
  expect(told).toEqual([FIRST, SECOND].map((address) => asked(address, "delete")));
});

it("leaves out a server that is in no cluster, and one that takes connections and does not answer", () => {
  const others = { hung: FIRST, outside: SECOND };
  const { status, stdout, told } = run("create", [FIRST, SECOND, THIRD], {}, others);
  expect([status, stdout, told]).toEqual([0, `output of ${THIRD}\n`, [asked(THIRD)]]);
});

it("tries again where all of them break", () => {
  const { status, told } = run("update", [FIRST], { [FIRST]: [255, 255, 0] });
  expect(status).toBe(0);
  const once = asked(FIRST, "update");
  expect(told).toEqual([once, "sleeps", once, "sleeps", once]);
});

it("does not begin again for a run that was cut off", () => {
  const { told } = run("delete", [FIRST, SECOND], { [FIRST]: [255] }, { isCutOff: true });
  expect(told).toEqual([asked(FIRST, "delete")]);
});

it("fails as the script does, with its words, and only once", () => {
  const { status, stdout, stderr, told } = run("create", [FIRST, SECOND], { [FIRST]: [7] });
  expect([status, stdout, stderr]).toEqual([7, `output of ${FIRST}\n`, `words of ${FIRST}\n`]);
  expect(told).toEqual([asked(FIRST)]);
});

it("names the masters where none answers, a check at once", () => {
  const { status, stderr, told } = run("check", [], {});
  expect([status, stderr]).toEqual([
    255,
    "no master of the cluster answers at any of 10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4\n",
  ]);
  expect(told).toEqual([""]);
});
