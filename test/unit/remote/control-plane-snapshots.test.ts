/** Snapshots of a sole master's control plane, with stand-ins: what a worker takes, and what `vnfm check` finds. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();

describe("the worker that keeps a sole master's control plane", () => {
  /** What the master's key is good for. */
  let command: string;

  beforeEach(() => {
    standIns.program("getent", `echo "debian:x:0:0::${standIns.folder}:/bin/bash"`);
    expect(
      standIns.run("control-plane-store.sh", "create", {
        login_user: "root",
        public_key: "ssh-ed25519 AAAA",
      }),
    ).toBeUndefined();
    const keys = readFileSync(standIns.at(".ssh/authorized_keys"), "utf8");
    const [, its] = /^restrict,command="(.*)" ssh-ed25519 AAAA vnfm-control-plane\n$/.exec(keys) ?? [];
    command = its ?? "";
  });

  const ask = (asked: string, input = "") => {
    const env = { ...process.env, SSH_ORIGINAL_COMMAND: asked };
    const { status, stdout } = spawnSync("bash", ["-c", command], {
      ...{ cwd: standIns.folder, env, input, encoding: "utf8" },
    });
    return [status, stdout];
  };

  const takeSnapshot = (text: string) => {
    ask("put next", text);
    ask("keep");
  };

  it("has a copy, which goes with the next snapshot: etcd has gone on by then", () => {
    ask("put", "a copy");
    expect([ask("has"), ask("get")]).toEqual([
      [0, ""],
      [0, "a copy"],
    ]);
    ask("put next", "a snapshot");
    expect(ask("has")).toEqual([0, ""]);
    ask("keep");
    expect(ask("has")).toEqual([1, ""]);
    ask("put", "a copy");
    ask("drop");
    expect(ask("has")).toEqual([1, ""]);
  });

  /** Of the operator, about what the worker has. */
  const asked = (action: "kept" | "agree") => {
    const why = standIns.run(
      "control-plane-store.sh",
      action,
      { login_user: "root" },
      { '"$1" </dev/null': `"$1" </dev/null >"${standIns.at("told")}"` },
    );
    expect(why).toBeUndefined();
    return action === "kept" ? (JSON.parse(standIns.told()) as unknown) : undefined;
  };
  const then = "2026-11-23T03:05:00Z";
  const age = () => {
    const time = new Date(then);
    utimesSync(standIns.at(".vnfm-control-plane-snapshot"), time, time);
  };

  it("gives a snapshot to the next server once somebody agreed to it, and says of when it is", () => {
    expect(asked("kept")).toEqual({ copy: false, snapshot: null });
    takeSnapshot("a snapshot");
    age();
    expect([asked("kept"), ask("has")]).toEqual([{ copy: false, snapshot: then }, [1, ""]]);
    asked("agree");
    expect([asked("kept"), ask("get")]).toEqual([{ copy: true, snapshot: then }, [0, "a snapshot"]]);
  });

  it("gives the copy to the next server where it has both", () => {
    takeSnapshot("a snapshot");
    age();
    ask("put", "a copy");
    asked("agree");
    expect([asked("kept"), ask("get")]).toEqual([{ copy: true, snapshot: then }, [0, "a copy"]]);
  });

  it("goes on with the last snapshot until the next one is there as a whole", () => {
    takeSnapshot("whole");
    ask("put next", "half of");
    asked("agree");
    expect(ask("get")).toEqual([0, "whole"]);
  });

  it("does nothing else for that key", () => {
    ask("put", "a copy");
    for (const wrong of ["", "id", "get /etc/shadow", "put; id", "bash -c id"])
      expect(ask(wrong)).toEqual([2, ""]);
    expect(ask("get")).toEqual([0, "a copy"]);
  });
});

describe("the timer of the snapshots", () => {
  const data = () => ({
    store_node: "vnf-a-workernode-1",
  });
  const found = () => {
    const check = "check >$told";
    const why = standIns.run(
      "control-plane-snapshots.sh",
      "check",
      { ...data(), told: standIns.at("told") },
      {
        "/usr/local/sbin/": `${standIns.folder}/`,
        [`${standIns.at("vnfm")}-control-plane-taken`]: standIns.at("taken"),
        '"$1" </dev/null': `${check} </dev/null`,
      },
    );
    expect(why).toBeUndefined();
    return standIns.told().split("\n").slice(0, -1);
  };
  const HOUR = 60 * 60;

  beforeEach(() => {
    standIns.program("systemctl", `[ ! -e "${standIns.at("stopped")}" ]`);
    writeFileSync(standIns.at("vnfm-control-plane-snapshot"), "exit");
  });

  const age = (file: string) => {
    const then = Date.now() / 1000 - HOUR;
    utimesSync(standIns.at(file), then, then);
  };

  it("is well while the last one is recent, and before the first one", () => {
    expect(found()).toEqual([]);
    age("vnfm-control-plane-snapshot");
    writeFileSync(standIns.at("taken"), "");
    expect(found()).toEqual([]);
  });

  it("is found where it has stopped, and where no snapshot comes to the worker", () => {
    writeFileSync(standIns.at("taken"), "");
    writeFileSync(standIns.at("stopped"), "");
    for (const file of ["vnfm-control-plane-snapshot", "taken"]) age(file);
    expect(found()).toEqual([
      "the timer vnfm-control-plane-snapshot does not run",
      "no snapshot of etcd has come to vnf-a-workernode-1 for 15 minutes: see 'journalctl -u vnfm-control-plane-snapshot' there",
    ]);
  });
});

it("a sole master tells whether it has a control plane while something else is at work there", async () => {
  const holder = spawn("flock", [standIns.at("vnfm.lock"), "-c", "echo held; cat"]);
  await once(holder.stdout, "data");
  const others = {
    "flock -w 1200": "flock -w 1",
    '"$1" </dev/null': `"$1" </dev/null >"${standIns.at("told")}"`,
  };
  const why = standIns.run("control-plane-copy.sh", "begun", {}, others);
  holder.stdin.end();
  expect([why, standIns.told()]).toEqual([undefined, '{"begun": false}\n']);
});

describe("a sole master's new server", () => {
  const restored = (ssh: string) => {
    standIns.program("ssh", `${standIns.once()}\n${ssh}`);
    standIns.program("ssh-keygen", "echo key");
    const names = ["store_node", "store_address", "store_user", "store_host_key", "store_key"];
    const data = { ...Object.fromEntries(names.map((name) => [name, name])), provider_id: "" };
    return standIns.run("control-plane-copy.sh", "create", data);
  };

  it.each([
    ["where the worker has no copy", "exit 1", "and store_node has no copy of the control plane"],
    ["where the worker does not answer", "exit 255", "store_node does not answer at store_address"],
    [
      "where the worker answers only once",
      "once asked\nexit 255",
      "store_node does not answer at store_address",
    ],
  ])("begins with nothing %s", (_, ssh, why) => {
    expect(restored(ssh)).toContain(why);
  });

  it("gets the copy after what the login's shell prints on the worker, and no other one", () => {
    const signature = Buffer.from("-----BEGIN SSH SIGNATURE-----\nU1NI\n").toString("base64");
    standIns.program("openssl", "cat");
    standIns.program("gzip", "cat");
    standIns.program("tar", `cat >${standIns.at("told")}`);
    // -Y verify, of the signature that is given
    standIns.program("ssh-keygen", 'grep -q U1NI "${11}"');
    const unpacked = (text: string) => {
      const call = `mkdir -p "$keys" "$work"; printf '${text}' | unpack`;
      return standIns.run(
        "control-plane-copy.sh",
        "create",
        { store_node: "w" },
        {
          'exclusively\n"$1" </dev/null': call,
        },
      );
    };
    expect(unpacked(`in .bashrc\\nno end of line${signature}\\nthe archive\\n`)).toBeUndefined();
    expect(standIns.told()).toBe("the archive\n");
    expect(unpacked("in .bashrc\\n")).toContain(
      "the copy of the control plane on w is not what the master left",
    );
  });

  /** @param node the Node that etcd has, as kubectl prints it */
  const renewed = (node: string) => {
    standIns.program(
      "kubectl",
      `case $1 in get) printf '%s' '${node}' ;; *) { echo "$*"; cat; } >>"$TOLD" ;; esac`.replace(
        "$TOLD",
        standIns.at("told"),
      ),
    );
    standIns.program("systemctl", `echo "$*" >>"${standIns.at("told")}"`);
    const data = { node_name: "vnf-a-masternode-1", provider_id: "openstack:///new" };
    const script = { 'exclusively\n"$1" </dev/null': "renew_node" };
    expect(standIns.run("control-plane-copy.sh", "create", data, script)).toBeUndefined();
    return standIns.told();
  };

  it("has its Node made again with the provider id of this server, and everything else that the Node had", () => {
    const node = (id: string) => `{"spec": {"podCIDR": "10.244.0.0/24", "providerID": "openstack:///${id}"}}`;
    expect(renewed(node("old"))).toBe(
      `replace --force --request-timeout=60s -f -\n${node("new")}\nrestart kubelet\n`,
    );
  });

  it("leaves a Node that is of this server", () => {
    expect(renewed('{"spec": {"providerID": "openstack:///new"}}')).toBe("");
  });

  it("has the kubelet make a Node that is missing", () => {
    expect(renewed("")).toBe("restart kubelet\n");
  });
});
