/**
 * Both clients of OpenSSH through a jump host, the scripts' and the command line's: with an ssh that notes what it is
 * given, and starts its ProxyCommand as the real one does.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { runOverSsh, type Connection } from "../../../automation/remote/ssh";
import { clientScriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const path = process.env["PATH"] ?? "";

afterEach(() => (process.env["PATH"] = path));

/** Of a jump host, with what a shell would read. */
const JUMP = { host: "203.0.113.9", port: 2222, user: "ops", hostKey: "ssh-ed25519 JUMP" };
const TARGET = {
  host: "10.30.0.5",
  user: "debian",
  privateKey: "target key\n",
  hostKey: "ssh-ed25519 TARGET",
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
            IdentityFile=*) key=$(cat "\${2#*=}") ;;
            UserKnownHostsFile=*) known=$(cat "\${2#*=}") ;;
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

const noted = () => standIns.told().trim().split("\n");
const AT_TARGET = "debian@10.30.0.5:22|target key|vnfm ssh-ed25519 TARGET|yes|";
const atJump = (credential: string) =>
  `ops@203.0.113.9:2222|${credential}|vnfm ssh-ed25519 JUMP|yes|[10.30.0.5]:22`;

const overSsh = (connection: Connection) => runOverSsh(connection, { command: "x", input: "", seconds: 10 });

it.each([
  ["a key", { privateKey: "jump key\n" }, "jump key"],
  ["a password", { password: 'it\'s 100% "secret"' }, 'password it\'s 100% "secret"'],
])(
  "the command line logs in at each with its own login and host key, by %s",
  async (_, login, credential) => {
    const { status, stderr } = await overSsh({ ...TARGET, proxy: { ...JUMP, ...login } });
    expect([status, stderr]).toEqual([0, ""]);
    expect(noted()).toEqual([atJump(credential), AT_TARGET]);
  },
);

it("the command line goes straight to a host without a jump host", async () => {
  await overSsh(TARGET);
  expect(noted()).toEqual([AT_TARGET]);
});

/** Runs a script of the scripts' client. */
function script(file: string, action: string, data: Readonly<Record<string, string>>) {
  const login = { login_user: "debian", login_password: "", login_keys: "target key\n-----END" };
  const input = shellAssignments({ ...login, ...data }) + clientScriptText(file);
  const env = { ...process.env, TMPDIR: standIns.at("t m") };
  spawnSync("mkdir", [env.TMPDIR]);
  return spawnSync("bash", ["-s", action], { input, env, encoding: "utf8" });
}

const jump = (jump_password: string, jump_keys: string) => ({
  ...{ jump_host: JUMP.host, jump_port: "2222", jump_host_key: JUMP.hostKey, jump_user: "ops" },
  ...{ jump_password, jump_keys },
});
const once = { host: "10.30.0.5", host_key: TARGET.hostKey, remote_command: "x", remote_script: "y" };

it.each([
  ["a key", jump("", "jump key\n-----END"), "jump key\n-----END"],
  ["a password", jump("it's 100%", ""), "password it's 100%"],
])("a script logs in at each with its own login and host key, by %s", (_, data, credential) => {
  const { status, stderr } = script("before-deletion.sh", "delete", { ...once, ...data });
  expect([status, stderr]).toEqual([0, ""]);
  const target = AT_TARGET.replace("target key", "target key\n-----END");
  expect(standIns.told()).toBe(`${atJump(credential)}\n${target}\n`);
});

it.each(["$(touch ran)1.2.3.4", "1.2.3.4; touch ran", "`touch ran`", "\t'$(touch ran)"])(
  "no shell reads the jump host's address %j",
  async (host) => {
    const data = { ...once, ...jump("", "jump key\n-----END"), jump_host: host };
    expect(script("before-deletion.sh", "delete", data).status).toBe(0);
    await overSsh({ ...TARGET, proxy: { ...JUMP, host, privateKey: "jump key\n" } });
    const hosts = noted().map((line) => line.split("|")[0]);
    const expected = [`ops@${host}:2222`, "debian@10.30.0.5:22"];
    expect(hosts.filter((line) => line?.includes("@"))).toEqual([...expected, ...expected]);
    expect(existsSync("ran")).toBe(false);
  },
);

it("a script about a cluster lets the jump host find out which of the masters answers", () => {
  const data = { masters: "10.30.0.5 10.30.0.6", host_key: TARGET.hostKey };
  const commands = { remote_command: "bash -s @VERB@", remote_script: "y" };
  standIns.program("timeout", 'if [ "$1" = --foreground ]; then shift 4; exec "$@"; fi; exit 1');
  const { status } = script("any-master.sh", "create", {
    ...data,
    ...commands,
    ...jump("", "jump key\n-----END"),
  });
  expect(status).toBe(0);
  expect(standIns.told().match(/^debian@\S+?\|/gm)).toEqual(Array(2).fill("debian@10.30.0.5:22|"));
});
