/** Snapshots of a sole master's control plane, with stand-ins: what a worker takes, and what `vnfm check` finds. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { until } from "../../support/until";
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

  const leave = (kind: "copy" | "snapshot", text: string) => {
    expect(ask("put", text)).toEqual([0, ""]);
    expect(ask(`keep ${kind}`)).toEqual([0, ""]);
  };
  /** An archive as a master makes it. */
  const archive = (time: string) => `c2lnbmF0dXJl ${time}\nencrypted`;

  it("has a copy, which goes with the next snapshot: etcd has gone on by then", () => {
    leave("copy", "a copy");
    expect([ask("has"), ask("get")]).toEqual([
      [0, ""],
      [0, "a copy"],
    ]);
    ask("put", "a snapshot");
    expect(ask("has")).toEqual([0, ""]);
    ask("keep snapshot");
    expect(ask("has")).toEqual([1, ""]);
    leave("copy", "a copy");
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
    return action === "kept" ? (JSON.parse(standIns.log()) as unknown) : undefined;
  };
  const then = "2026-11-23T03:05:00Z";
  const later = "2026-11-23T03:07:12Z";

  it("gives a snapshot to the next server once somebody agreed to it, and says of when it is", () => {
    expect(asked("kept")).toEqual({ copy: null, snapshot: null });
    leave("snapshot", archive(then));
    expect([asked("kept"), ask("has")]).toEqual([{ copy: null, snapshot: then }, [1, ""]]);
    asked("agree");
    expect([asked("kept"), ask("get")]).toEqual([{ copy: then, snapshot: then }, [0, archive(then)]]);
    // which is another file then
    leave("snapshot", archive(later));
    expect([asked("kept"), ask("has")]).toEqual([{ copy: null, snapshot: later }, [1, ""]]);
  });

  it("gives the copy to the next server where it has both", () => {
    leave("snapshot", archive(then));
    leave("copy", archive(later));
    asked("agree");
    expect([asked("kept"), ask("get")]).toEqual([{ copy: later, snapshot: then }, [0, archive(later)]]);
  });

  it.each(["", "half of a signature", `c2ln ${then}x\n`, `c2ln "${then}\n`])(
    "gives the snapshot where its copy is none: %j",
    (torn) => {
      leave("snapshot", archive(then));
      leave("copy", torn);
      expect(asked("kept")).toEqual({ copy: null, snapshot: then });
      asked("agree");
      expect(ask("get")).toEqual([0, archive(then)]);
    },
  );

  it.each(["copy", "snapshot"] as const)(
    "goes on with the last %s until the next one is there as a whole",
    (kind) => {
      leave(kind, archive(then));
      ask("put", archive(later).slice(0, 20));
      if (kind === "snapshot") asked("agree");
      expect(ask("get")).toEqual([0, archive(then)]);
    },
  );

  it("has nothing of a transfer whose connection is gone in the next one", async () => {
    const env = { ...process.env, SSH_ORIGINAL_COMMAND: "put" };
    const gone = spawn("bash", ["-c", command], { cwd: standIns.folder, env, stdio: "pipe" });
    gone.stdin.write("half of a former one");
    await until(10, "the former transfer", () =>
      Promise.resolve(standIns.read(".vnfm-control-plane-next") === "half of a former one"),
    );
    leave("copy", "whole");
    gone.stdin.end(", and its end");
    await once(gone, "close");
    expect(ask("get")).toEqual([0, "whole"]);
  });

  it("does nothing else for that key", () => {
    leave("copy", "a copy");
    for (const wrong of ["", "id", "get /etc/shadow", "put; id", "keep", "keep copy; id", "bash -c id"])
      expect(ask(wrong)).toEqual([2, ""]);
    expect(ask("get")).toEqual([0, "a copy"]);
  });

  describe("and gives it back to the next server", () => {
    /** Content that the new server has taken, or the reason why it takes nothing. */
    const restored = (notBefore: string) => {
      rmSync(standIns.at("told"), { force: true });
      const why = run(`unlock; store get | unpack "$not_before"`, { not_before: notBefore });
      return why ?? standIns.log();
    };
    const run = (call: string, more: object = {}) => {
      const names = ["store_node", "store_address", "store_user", "store_host_key"];
      const data = { ...Object.fromEntries(names.map((name) => [name, name])), store_key: key, ...more };
      return standIns.run("control-plane-copy.sh", "create", data, {
        'exclusively\n"$1" </dev/null': call,
      });
    };
    let key: string;

    beforeEach(() => {
      const file = standIns.at("key");
      spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
      key = readFileSync(file, "utf8");
      writeFileSync(standIns.at("command"), command);
      // what the master asks the worker for
      standIns.program(
        "ssh",
        `cd "${standIns.folder}"; echo from .bashrc; SSH_ORIGINAL_COMMAND="\${!#}" exec bash -c "$(<command)"`,
      );
      const [etcd, told] = [standIns.at("etcd"), standIns.at("told")];
      standIns.program("tar", `case $1 in -c) cat "${etcd}" ;; *) cat >"${told}" ;; esac`);
    });

    const leaveAt = (time: string, etcd: string) => {
      writeFileSync(standIns.at("etcd"), etcd);
      expect(run(`unlock; leave copy ${time} /var/lib/etcd`)).toBeUndefined();
    };

    it("in its last state, or in any if none is known", () => {
      leaveAt(then, "etcd of then");
      expect([restored(then), restored(""), restored("2026-11-22T03:05:00Z")]).toEqual(
        Array(3).fill("etcd of then"),
      );
    });

    it("unless it is older", () => {
      leaveAt(then, "etcd of then");
      expect(restored(later)).toContain(
        `the copy of the control plane on store_node is of ${then}, and the control-plane node stored one of ${later} there: nothing of it is used`,
      );
      expect(standIns.log()).toBe("");
    });

    it.each<[string, (text: string) => string]>([
      ["another time", (text) => text.replace(then, later)],
      ["no time", (text) => text.replace(` ${then}`, "")],
      ["no signature", (text) => text.replace(/^\S+/, "LS0tLS1CRUdJTiBTU0ggU0lHTkFUVVJF")],
      ["half of its text", (text) => text.slice(0, -10)],
    ])("unless it has %s", (_, changed) => {
      leaveAt(then, "etcd of then");
      const file = standIns.at(".vnfm-control-plane");
      writeFileSync(file, Buffer.from(changed(readFileSync(file, "latin1")), "latin1"));
      expect(restored(then)).toContain(
        "is not what the control-plane node stored there: nothing of it is used",
      );
      expect(standIns.log()).toBe("");
    });
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
    return standIns.log().split("\n").slice(0, -1);
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
      "vnf-a-workernode-1 has received no snapshot of etcd for 15 minutes: see 'journalctl -u vnfm-control-plane-snapshot' there",
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
  expect([why, standIns.log()]).toEqual([undefined, '{"begun": false}\n']);
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
    return standIns.log();
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
