/** The program that takes a script to a server: with an ssh that answers as one would, and addresses that take connections. */
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { programArguments } from "../../../components/remote/program-command";
import type { Reach } from "../../../components/remote/reaching";
import { RUN_SCRIPT } from "../../../components/remote/script-step";
import { scriptText } from "../../../components/remote/script-text";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const [FIRST, SECOND, THIRD, SHARED] = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"];

let listeners: Server[] = [];
afterEach(() => {
  for (const listener of listeners) listener.close();
  listeners = [];
});

/** Has addresses take connections. @returns the port, which is the same for all */
async function listen(addresses: readonly string[]): Promise<number> {
  let port = 0;
  // an address that nobody listens at needs a port that nobody has
  for (const address of addresses.length === 0 ? [FIRST] : addresses) {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => server.listen(port, address, done));
    port = (server.address() as { port: number }).port;
    listeners.push(server);
  }
  if (addresses.length === 0) {
    const free = listeners.pop();
    await new Promise((done) => free?.close(done));
  }
  return port;
}

interface Given {
  /** What each address answers, one after the other: an exit status. @default 0 */
  readonly answers?: Readonly<Record<string, readonly number[]>>;
  /** The address of a server that is in no cluster. */
  readonly outside?: string;
  readonly reach?: Partial<Reach>;
  readonly more?: object;
  /** Behaviour of the client when it only reads its options. @default it takes them */
  readonly clientFault?: string;
  /** Ends as soon as the script runs somewhere, and what started it too. */
  readonly isCutOff?: boolean;
}

/** @param alive addresses that take connections */
async function run(verb: string, alive: readonly string[], given: Given = {}) {
  const { answers = {}, outside = "nobody", reach, more, isCutOff = false, clientFault } = given;
  const { folder } = standIns;
  const port = await listen(alive);
  const cases = Object.entries(answers).map(
    ([address, statuses]) => `${address}) statuses=(${statuses.join(" ")}) ;;`,
  );
  standIns.program(
    "ssh",
    `if [ "$1" = -G ]; then echo "\${*: -1}" >>${folder}/options; ${clientFault ?? "exit 0"}; fi
    while [ "$1" != -- ]; do shift; done
    case $2 in ${cases.join(" ")} esac
    given=$(cat)
    case $given in "[ -e /etc/kubernetes/vnfm-complete ]") [ "$2" != ${outside} ]; exit ;; esac
    printf '%s' "$given" >${folder}/given
    printf '%s' "$3" >${folder}/command
    at=$(grep -c "^$2 " ${folder}/told 2>/dev/null)
    [[ $3 =~ bash\\ -s\\ ([a-z]+)\\; ]]
    echo "$2 \${BASH_REMATCH[1]}" >>${folder}/told
    ${isCutOff ? "/bin/sleep 0.5" : ""}
    echo "of a login shell"
    sh -c "$3" <<<"echo output of $2; echo words of $2 >&2" || exit
    exit "\${statuses[at]-0}"`,
  );
  // no root here
  standIns.program("sudo", 'shift; exec "$@"');
  const stdin = JSON.stringify({
    reach: {
      hosts: [FIRST, SECOND, THIRD, SHARED].map((host) => ({ host, port, hostKey: "ssh-ed25519 AAAA" })),
      login: { user: "debian", keys: ["key"] },
      ...{ onMaster: true, tries: 3, seconds: 60 },
      ...reach,
    },
    data: { cni_manifest: "it's" },
    ...more,
  });
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env["PATH"]}`,
    VNFM_SCRIPT: "install-cni.sh 0123",
  };
  const args = ["--require", "./test/support/no-pauses.cjs", ...programArguments(RUN_SCRIPT), verb];
  const child = isCutOff
    ? spawn(
        "bash",
        ["-c", `exec 3<&0; node "$@" <&3 & until [ -s ${folder}/told ]; do sleep 0.05; done`, "-", ...args],
        { env },
      )
    : spawn(process.execPath, args, { env });
  child.stdin.end(stdin);
  const ended = new Promise<number | null>((done) => child.on("exit", done));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr, told: standIns.log().trim().split("\n") };
}

const asked = (address: string, verb = "create") => `${address} ${verb}`;

it("the program runs on the first that takes connections, whichever are dead", async () => {
  const { status, stdout, stderr, told } = await run("create", [SECOND, THIRD]);
  // of a step that ends well nobody is shown the words
  expect([status, stdout, stderr]).toEqual([0, `output of ${SECOND}\n`, ""]);
  expect(told).toEqual([asked(SECOND)]);
});

it("the program gives it the script and its data, quoted, through standard input alone", async () => {
  await run("create", [FIRST]);
  const given = standIns.read("given");
  expect(`${given}\n`).toBe(`cni_manifest='it'\\''s'\n${scriptText("install-cni.sh")}`);
  expect(standIns.read("command")).not.toContain("cni_manifest");
});

it("the program prefers the first of them, so that scripts at the same time meet there", async () => {
  const { told } = await run("create", [SHARED, THIRD, SECOND, FIRST]);
  expect(told).toEqual([asked(FIRST)]);
});

it("the program goes to the address that they share where the first three are dead", async () => {
  const { status, told } = await run("create", [SHARED]);
  expect([status, told]).toEqual([0, [asked(SHARED)]]);
});

it("the program goes to another one where the connection breaks", async () => {
  const { status, stdout, told } = await run("delete", [FIRST, SECOND, THIRD], {
    answers: { [FIRST]: [255] },
  });
  expect([status, stdout]).toEqual([0, `output of ${SECOND}\n`]);
  expect(told).toEqual([FIRST, SECOND].map((address) => asked(address, "delete")));
});

it("the program leaves out a server that is in no cluster, where only a master will do", async () => {
  const others = { outside: FIRST };
  expect((await run("create", [FIRST, SECOND], others)).told).toEqual([asked(SECOND)]);
  const anyHost = await run("create", [FIRST, SECOND], { ...others, reach: { onMaster: false } });
  expect(anyHost.told).toEqual([asked(SECOND), asked(FIRST)]);
});

it("the program tries again where all of them break", async () => {
  const { status, told } = await run("update", [FIRST], { answers: { [FIRST]: [255, 255, 0] } });
  expect(status).toBe(0);
  expect(told).toEqual(Array(3).fill(asked(FIRST, "update")));
});

it("the program does not begin again for a run that was cut off", async () => {
  const { told } = await run("delete", [FIRST, SECOND], { answers: { [FIRST]: [255] }, isCutOff: true });
  expect(told).toEqual([asked(FIRST, "delete")]);
});

it("the program has no server hand over for a run that was cut off while that was drained, as it may have been taken back", async () => {
  const handover = {
    hosts: [{ host: FIRST, hostKey: "ssh-ed25519 AAAA" }],
    login: { user: "debian" },
    seconds: 60,
  };
  const more = { handover: { ...handover, tries: 1 } };
  const { told } = await run("delete", [FIRST, SECOND], { more, isCutOff: true });
  expect(told).toEqual([asked(SECOND, "drain")]);
});

it("the program fails as the script does, with its words, without its result, and only once", async () => {
  const { status, stdout, stderr, told } = await run("create", [FIRST, SECOND], {
    answers: { [FIRST]: [7] },
  });
  expect([status, stdout, stderr]).toEqual([7, "", `words of ${FIRST}\n`]);
  expect(told).toEqual([asked(FIRST)]);
});

it("the program shows what a script has printed that finds something and fails, where it is asked", async () => {
  const { status, stdout } = await run("check", [FIRST], { answers: { [FIRST]: [7] } });
  expect([status, stdout]).toEqual([7, `output of ${FIRST}\n`]);
});

it("the program asks a question once more where the connection breaks", async () => {
  const { status, told } = await run("check", [FIRST], { answers: { [FIRST]: [255, 0] } });
  expect([status, told]).toEqual([0, Array(2).fill(asked(FIRST, "check"))]);
});

it("the program names the masters where none answers", async () => {
  const { status, stderr, told } = await run("check", [FIRST], { answers: { [FIRST]: [255, 255, 0] } });
  expect([status, told]).toEqual([255, Array(2).fill(asked(FIRST, "check"))]);
  expect(stderr).toMatch(
    /no control-plane node of the cluster answers at any of 127\.0\.0\.1 127\.0\.0\.2 127\.0\.0\.3 127\.0\.0\.4\n$/,
  );
});

it("the program goes straight to a server that is the only one, and says what the client says where that fails", async () => {
  const { told, stderr } = await run("check", [], {
    answers: { [FIRST]: [255, 255] },
    reach: { hosts: [{ host: FIRST, port: 1, hostKey: "x" }], onMaster: false },
  });
  expect(told).toEqual(Array(2).fill(asked(FIRST, "check")));
  expect(stderr).toBe(
    "words of 127.0.0.1\n127.0.0.1 does not answer over SSH, or rejects the login of debian\n",
  );
});

it.each([
  [255, "127.0.0.1 is deleted without its preparation: it cannot be reached by SSH\n"],
  [124, "127.0.0.1 is deleted without its preparation: it did not finish in time\n"],
  [7, "words of 127.0.0.1\n127.0.0.1 is deleted without its preparation: it reported the above\n"],
])(
  "the program lets a server go that is about to be deleted, whatever its script says: %i",
  async (answer, said) => {
    const { status, stderr } = await run("delete", [FIRST], {
      answers: { [FIRST]: [answer] },
      reach: { tries: 1, onMaster: false },
      more: { leaves: true },
    });
    expect(status).toBe(0);
    expect(stderr).toContain(said);
  },
);

describe("an ssh of this machine that cannot be used", () => {
  const clientFault = "echo No user exists for uid 1234 >&2; exit 255";
  const fault =
    "the ssh of this machine cannot be used: No user exists for uid 1234; " +
    "OpenSSH needs a line in /etc/passwd of the user who runs this, in a container too\n";
  const reach = { onMaster: false, tries: 60 };

  it("fails the step at once, with its own words", async () => {
    const answers = { [FIRST]: [255, 255, 255] };
    const { status, stderr, told } = await run("create", [FIRST], { answers, reach, clientFault });
    expect([status, stderr]).toEqual([1, fault]);
    expect(told).toEqual([asked(FIRST)]);
  });

  it("does not let a server go undone", async () => {
    const answers = { [FIRST]: [255, 255, 255] };
    const given = { answers, reach, clientFault, more: { leaves: true } };
    const { status, stderr } = await run("delete", [FIRST], given);
    expect([status, stderr]).toEqual([1, fault]);
  });

  it("is asked for once, whatever how many servers do not answer", async () => {
    const answers = { [FIRST]: [255, 255], [SECOND]: [255, 255] };
    const all = { answers, reach: { ...reach, tries: 2 } };
    const { status } = await run("create", [FIRST, SECOND], all);
    expect([status, standIns.read("options")]).toEqual([255, "vnfm\n"]);
  });
});
