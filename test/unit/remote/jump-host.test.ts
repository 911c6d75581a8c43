/**
 * The client of OpenSSH through a jump host: with an ssh that notes what it is given, and starts its ProxyCommand as the
 * real one does.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { programArguments } from "../../../components/remote/program-command";
import { RUN_SCRIPT } from "../../../components/remote/script-step";
import { overSsh, type Connection } from "../../../components/remote/ssh-client";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const path = process.env["PATH"] ?? "";

afterEach(() => (process.env["PATH"] = path));

/** Of a jump host, with what a shell would read. */
const JUMP = { host: "203.0.113.9", port: 2222, hostKey: "ssh-ed25519 JUMP" };
const TARGET: Connection = {
  host: "10.30.0.5",
  hostKey: "ssh-ed25519 TARGET",
  login: { user: "debian", keys: ["target key\n"] },
};

beforeEach(() => {
  // for each start: who logs in where, with what key or password, knowing which host key
  standIns.program(
    "ssh",
    `key= proxy= user= port=22
    while [ "$1" != -- ]; do
      case $1 in
        -l) user=$2; shift ;;
        -p) port=$2; shift ;;
        -W) to=$2; shift ;;
        -o)
          case $2 in
            IdentityFile=*) key=$(cat "$(tr -d '"' <<<"\${2#*=}")") ;;
            UserKnownHostsFile=*) known=$(cat "$(tr -d '"' <<<"\${2#*=}")") ;;
            StrictHostKeyChecking=*) strict=\${2#*=} ;;
            ProxyCommand=*) proxy=\${2#*=} ;;
          esac
          shift ;;
      esac
      shift
    done
    [ -n "$key" ] || key="password $("$SSH_ASKPASS" "a prompt")"
    if [ -n "$proxy" ]; then
      proxy=\${proxy//%h/$2} proxy=\${proxy//%p/$port} proxy=\${proxy//%%/%}
      "$SHELL" -c "exec $proxy" </dev/null || exit
    fi
    echo "$user@$2:$port|$key|$known|$strict|\${to-}" >>"${standIns.folder}/told"
    cat >/dev/null`,
  );
  process.env["PATH"] = `${standIns.folder}:${path}`;
});

const noted = () => standIns.log().trim().split("\n");
const AT_TARGET = "debian@10.30.0.5:22|target key|vnfm ssh-ed25519 TARGET|yes|";
const atJump = (credential: string) =>
  `ops@203.0.113.9:2222|${credential}|vnfm ssh-ed25519 JUMP|yes|[10.30.0.5]:22`;

const said = (connection: Connection) => overSsh(connection, { command: "x", input: "", seconds: 10 });

it.each([
  ["a key", { keys: ["jump key\n"] }, "jump key"],
  ["a password", { password: 'it\'s 100% "secret"' }, 'password it\'s 100% "secret"'],
])("the client logs in at each with its own login and host key, by %s", async (_, login, credential) => {
  const { status, stderr } = await said({
    ...TARGET,
    jumpHost: { ...JUMP, login: { user: "ops", ...login } },
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(noted()).toEqual([atJump(credential), AT_TARGET]);
});

it("the client goes straight to a host without a jump host", async () => {
  await said(TARGET);
  expect(noted()).toEqual([AT_TARGET]);
});

it("the client offers the first five keys of an instance, as sshd ends a connection that has offered six", async () => {
  const keys = [1, 2, 3, 4, 5, 6].map((number) => `key ${number}\n`);
  standIns.program("ssh", `printf '%s\\n' "$@" | grep -c IdentityFile >"${standIns.folder}/told"`);
  await said({ ...TARGET, login: { user: "debian", keys } });
  expect(noted()).toEqual(["5"]);
});

it("the client gives up a host that hangs, though the client of the jump host goes on", async () => {
  standIns.program("ssh", `sleep 60 & echo $! >"${standIns.at("told")}"; wait`);
  const started = Date.now();
  const { status } = await overSsh(TARGET, { command: "x", input: "", seconds: 1 });
  process.kill(Number(standIns.log()));
  expect(status).toBe(255);
  expect(Date.now() - started).toBeLessThan(4000);
});

it("the client takes a command that prints without end for one that has failed", async () => {
  standIns.program("ssh", "echo words >&2; exec yes");
  const { status, stdout, stderr } = await overSsh(TARGET, { command: "x", input: "", seconds: 60 });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toBe("words\nthe command printed more than the 4 MiB that a result can have\n");
});

it("the client keeps the last words of a command that says more than anybody reads, and its result", async () => {
  standIns.program("ssh", "head -c 3000000 /dev/zero >&2; printf why >&2; printf result; exit 7");
  const { status, stdout, stderr } = await overSsh(TARGET, { command: "x", input: "", seconds: 60 });
  expect([status, stdout, stderr.length, stderr.slice(-3)]).toEqual([7, "result", 1 << 20, "why"]);
});

it.each(["$(touch ran)1.2.3.4", "1.2.3.4; touch ran", "`touch ran`", "\t'$(touch ran)"])(
  "no shell reads the jump host's address %j",
  async (host) => {
    await said({ ...TARGET, jumpHost: { ...JUMP, host, login: { user: "ops", keys: ["jump key\n"] } } });
    const hosts = noted().map((line) => line.split("|")[0]);
    expect(hosts.filter((line) => line?.includes("@"))).toEqual([`ops@${host}:2222`, "debian@10.30.0.5:22"]);
    expect(existsSync("ran")).toBe(false);
  },
);

it("the client has a script about a cluster let the jump host find out which of the masters answers", () => {
  const TMPDIR = standIns.at("t m");
  mkdirSync(TMPDIR);
  const input = JSON.stringify({
    reach: {
      hosts: ["10.30.0.5", "10.30.0.6"].map((host) => ({ host, hostKey: TARGET.hostKey })),
      login: TARGET.login,
      jumpHost: { ...JUMP, login: { user: "ops", keys: ["jump key\n"] } },
      ...{ onMaster: true, tries: 1, seconds: 10 },
    },
    data: {},
  });
  const env = { ...process.env, TMPDIR, VNFM_SCRIPT: "read-access.sh" };
  const { status } = spawnSync(process.execPath, [...programArguments(RUN_SCRIPT), "create"], { input, env });
  expect(status).toBe(0);
  expect(standIns.log().match(/^debian@\S+?\|/gm)).toEqual(Array(2).fill("debian@10.30.0.5:22|"));
});
