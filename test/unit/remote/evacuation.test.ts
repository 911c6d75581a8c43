/** The scripts that ask a cluster before it is made anew, with an ssh and a kubectl that answer as one would. */
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { programArguments } from "../../../components/remote/program-command";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const program = (name: string, text: string) => standIns.program(name, text);

/** What the programs have noted, as lines; none for nothing. */
const told = () => standIns.log().split("\n").slice(0, -1);

describe("evacuation", () => {
  const host = (address: string, hostKey: string) => ({
    hosts: [{ host: address, port: 0, hostKey: `ssh-ed25519 ${hostKey}` }],
    login: { user: "debian", keys: ["new", "old"] },
    ...{ onMaster: true, tries: 1, seconds: 60 },
  });
  const DATA = {
    instance: "vnf-a",
    healToken: "new",
    evacuate: false,
    refusal: "",
    masters: [host("127.0.0.1", "AAAA"), host("127.0.0.2", "BBBB")],
    data: { evacuate: "", drain_seconds: "9" },
  };
  const servers: Server[] = [];

  beforeAll(async () => {
    for (const master of DATA.masters) {
      const [one] = master.hosts;
      const server = createServer((socket) => socket.destroy());
      await new Promise<void>((listening) => server.listen(0, one?.host, listening));
      servers.push(server);
      if (one !== undefined) one.port = (server.address() as AddressInfo).port;
    }
  });

  afterAll(() => servers.forEach((server) => server.close()));

  /** @param answers exit status of ssh by host; 255 is that of a host that does not answer */
  async function run(
    verb: string,
    data: Partial<typeof DATA>,
    answers: readonly [number, number],
    before = "old",
  ) {
    program(
      "ssh",
      `while [ "$1" != -- ]; do
        [ "$1" != -l ] || user=$2
        case $1 in
          IdentityFile=*) keys+="$(head -n 1 "$(tr -d '"' <<<"\${1#*=}")") " ;;
          UserKnownHostsFile=*) host_key=$(cat "$(tr -d '"' <<<"\${1#*=}")") ;;
        esac
        shift
      done
      given=$(cat) status=${answers[1]}
      [ "$2" != 127.0.0.1 ] || status=${answers[0]}
      case $given in "[ -e /etc/kubernetes/vnfm-complete ]") [ "$status" != 255 ]; exit ;; esac
      echo "$user@$2 $keys$host_key $(head -n 2 <<<"$given" | paste -sd " ")" >>${standIns.folder}/told
      exit "$status"`,
    );
    const env = {
      ...process.env,
      PATH: `${standIns.folder}:${process.env["PATH"]}`,
      PULUMI_COMMAND_STDOUT: before,
    };
    const child = spawn(process.execPath, [...programArguments("remote/evacuation"), verb], { env });
    child.stdin.end(JSON.stringify({ ...DATA, ...data }));
    const ended = new Promise<number | null>((end) => child.on("exit", end));
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { status, stdout, stderr };
  }

  const done = { status: 0, stdout: "new\n", stderr: "" };

  it("asks nobody where nothing is there yet, or the token is not new", async () => {
    expect(await run("create", {}, [3, 3])).toEqual(done);
    expect(await run("update", {}, [3, 3], "new")).toEqual(done);
    expect(told()).toEqual([]);
  });

  it("asks the masters until one answers", async () => {
    expect(await run("update", {}, [255, 0])).toEqual(done);
    expect(told()).toEqual(["debian@127.0.0.2 new old vnfm ssh-ed25519 BBBB evacuate='' drain_seconds='9'"]);
  });

  it("goes no further where something is in use", async () => {
    const { status, stdout, stderr } = await run("update", {}, [3, 0]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^Nothing was changed\. Delete what uses them, or set vnfm:vnfs\.vnf-a\.evacuate to true/,
    );
    expect(told()).toHaveLength(1);
  });

  it("goes no further where no master answers, unless all may go", async () => {
    const { status, stderr } = await run("update", {}, [255, 255]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^no control-plane node of vnf-a answers/)]);
    expect(await run("update", { evacuate: true }, [255, 255])).toEqual(done);
  });

  it("refuses that a token goes", async () => {
    const { status, stderr } = await run("update", { healToken: "" }, [0, 0]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("Set it back to old\n")]);
  });

  it("refuses what the stack config is against, before anybody is asked", async () => {
    expect(await run("update", { refusal: "vnf-b is on it" }, [0, 0])).toEqual({
      status: 1,
      stdout: "",
      stderr: "vnf-b is on it\n",
    });
    expect(told()).toEqual([]);
  });
});

describe("in-use.sh", () => {
  function run(evacuate: string, cluster: { claims?: string; pods?: string; api?: number }) {
    const { claims = "", pods = "", api = 0 } = cluster;
    writeFileSync(join(standIns.folder, "pods"), pods);
    program(
      "kubectl",
      `case "$*" in
        *readyz*) exit ${api} ;;
        *"get persistentvolumes"*) printf '${claims}' ;;
        *"get pods"*) cat ${standIns.folder}/pods ;;
        *"get nodes"*) printf 'live dead' ;;
        *"nodes/dead/proxy/healthz"*) exit 1 ;;
        *healthz*) ;;
        *"get node live"*) printf 'live Unknown' ;;
        *"get node dead"*) printf 'dead Unknown' ;;
        *) echo "$*" >>${standIns.folder}/told; [[ $* != *"delete pod "* ]] || : >${standIns.folder}/pods ;;
      esac`,
    );
    const input = (shellAssignments({ evacuate, drain_seconds: "1" }) + scriptText("in-use.sh")).replace(
      "PATH=/",
      `PATH=${standIns.folder}:/`,
    );
    const { status, stderr } = spawnSync("bash", ["-s", "create"], { input, encoding: "utf8" });
    return [status, stderr];
  }

  it("lets a cluster go on which nothing is in use", () => {
    expect(run("", {})).toEqual([0, ""]);
  });

  it("names claims and pods", () => {
    const claims = "PersistentVolume nfs-pv1 is in use by the PVC default/data\\n";
    expect(run("", { claims, pods: "web web-1\nweb web-2\n" })).toEqual([
      3,
      "PersistentVolume nfs-pv1 is in use by the PVC default/data\nPod web/web-1 runs\nPod web/web-2 runs\n",
    ]);
  });

  it("cannot tell without the API", () => {
    expect(run("", { api: 1 })).toEqual([1, ""]);
  });

  it("ends the pods where they may go, and does not wait for those of a dead node", () => {
    expect(run("yes", { pods: "web web-1\n" })).toEqual([
      0,
      [1, 2, 3].map((time) => `the kubelet of dead does not answer, ${time} of 3\n`).join(""),
    ]);
    expect(told()).toEqual([
      "cordon live",
      "cordon dead",
      "delete pods --all-namespaces --field-selector=spec.nodeName=dead --force --grace-period=0 --wait=false",
      "-n web delete pod web-1 --ignore-not-found --wait=false",
    ]);
  });
});
