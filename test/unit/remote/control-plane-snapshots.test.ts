/** Snapshots of a control plane, with stand-ins: what a worker takes, and what `vnfm check` finds. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { until } from "../../support/until";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();

/** The answer of a store to `kept`. */
interface Kept {
  readonly copy: string | null;
  readonly snapshots: readonly string[];
}

describe("the server that stores a control plane", () => {
  /** What the master's key is good for. */
  let command: string;
  const sbin = () => ({ "/usr/local/sbin/": `${standIns.folder}/` });
  const prepare = (directory: string) =>
    standIns.run(
      "control-plane-store.sh",
      "create",
      { login_user: userInfo().username, public_key: publicKey(), directory },
      sbin(),
    );
  /** The public key by which masters log in to the store, which each test generates. */
  const publicKey = () => standIns.read("masters.pub").split(" ").slice(0, 2).join(" ");

  beforeEach(() => {
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", standIns.at("masters")]);
    standIns.program("getent", `echo "debian:x:0:0::${standIns.folder}:/bin/bash"`);
    expect(prepare("")).toBeUndefined();
    const keys = readFileSync(standIns.at(".ssh/authorized_keys"), "utf8");
    const [, its, key] = /^restrict,command="(.*)" (ssh-\S+ \S+) vnfm-control-plane\n$/.exec(keys) ?? [];
    expect(key).toBe(publicKey());
    command = its ?? "";
  });

  const ask = (asked: string, input = "") => {
    const env = { ...process.env, SSH_ORIGINAL_COMMAND: asked };
    const { status, stdout } = spawnSync("bash", ["-c", command], {
      ...{ cwd: standIns.folder, env, input, encoding: "utf8" },
    });
    return [status, stdout];
  };

  const leave = (kind: "copy" | "snapshot", text: string, time = "2026-11-23T03:00:00Z") => {
    expect(ask("put vnf-a-masternode-1", text)).toEqual([0, ""]);
    expect(ask(`keep ${kind} vnf-a-masternode-1 ${time}`)).toEqual([0, ""]);
  };
  const facts = `12 3 v1.33.0 ${"0".repeat(64)} vnf-a-masternode-1`;
  /** An archive as a master makes it. */
  const archive = (time: string) => {
    const text = `${time} ${facts}\nencrypted`;
    const args = ["-q", "-Y", "sign", "-f", standIns.at("masters"), "-n", "vnfm"];
    const { stdout } = spawnSync("ssh-keygen", args, { input: text });
    return `${stdout.toString("base64")} ${text}`;
  };
  const snapshot = (time: string) => leave("snapshot", archive(time), time);

  it("has a copy, which goes with the next snapshot: etcd has gone on by then", () => {
    leave("copy", "a copy");
    expect([ask("has"), ask("get")]).toEqual([
      [0, ""],
      [0, "a copy"],
    ]);
    ask("put vnf-a-masternode-1", "a snapshot");
    expect(ask("has")).toEqual([0, ""]);
    ask("keep snapshot vnf-a-masternode-1 2026-11-23T03:05:00Z");
    expect(ask("has")).toEqual([1, ""]);
    leave("copy", "a copy");
    ask("drop");
    expect(ask("has")).toEqual([1, ""]);
  });

  /** Of the operator, about what the worker has. */
  const asked = (action: "kept" | "agree", chosen?: string) => {
    const why = standIns.run(
      "control-plane-store.sh",
      action,
      { login_user: "root", public_key: publicKey(), directory: "", ...(chosen && { snapshot: chosen }) },
      { ...sbin(), '"$1" </dev/null': `"$1" </dev/null >"${standIns.at("told")}"` },
    );
    if (action === "agree") return why;
    expect(why).toBeUndefined();
    const { copy, snapshots } = JSON.parse(standIns.log()) as Kept;
    return { copy, snapshots: snapshots.map((header) => header.replace(` ${facts}`, "")) };
  };
  const then = "2026-11-23T03:05:00Z";
  const later = "2026-11-23T03:07:12Z";

  it("gives a snapshot to the next server once somebody agreed to it, and says of when it is", () => {
    expect(asked("kept")).toEqual({ copy: null, snapshots: [] });
    snapshot(then);
    expect([asked("kept"), ask("has")]).toEqual([{ copy: null, snapshots: [then] }, [1, ""]]);
    asked("agree");
    expect([asked("kept"), ask("get")]).toEqual([{ copy: then, snapshots: [then] }, [0, archive(then)]]);
    // which is another file then
    snapshot(later);
    expect([asked("kept"), ask("has")]).toEqual([{ copy: null, snapshots: [later, then] }, [1, ""]]);
  });

  it("gives the snapshot that somebody has chosen, also where it has a copy", () => {
    snapshot(then);
    snapshot(later);
    asked("agree", then);
    expect(ask("get")).toEqual([0, archive(then)]);
    asked("agree", later);
    expect(ask("get")).toEqual([0, archive(later)]);
  });

  it.each<[string, (text: string) => string]>([
    ["is torn", (text) => text.slice(0, -1)],
    ["has another time", (text) => text.replace(then, later)],
    ["has another revision", (text) => text.replace(" 12 ", " 13 ")],
    ["has no signature", (text) => text.replace(/^\S+/, "c2ln")],
  ])("gives no snapshot that %s", (_, changed) => {
    leave("snapshot", changed(archive(then)), then);
    expect(asked("agree", then)).toContain("it is not what a control-plane node stored here");
    expect(ask("has")).toEqual([1, ""]);
  });

  it("gives no snapshot that it does not have", () => {
    snapshot(then);
    expect(asked("agree", later)).toContain("there is no such snapshot of etcd here");
    expect(ask("has")).toEqual([1, ""]);
  });

  it("gives the copy to the next server where it has both", () => {
    snapshot(then);
    leave("copy", archive(later));
    asked("agree");
    expect([asked("kept"), ask("get")]).toEqual([{ copy: later, snapshots: [then] }, [0, archive(later)]]);
  });

  it.each(["", "half of a signature", `c2ln ${then}x\n`, `c2ln "${then}\n`])(
    "gives the snapshot where its copy is none: %j",
    (torn) => {
      snapshot(then);
      leave("copy", torn);
      expect(asked("kept")).toEqual({ copy: null, snapshots: [then] });
      asked("agree");
      expect(ask("get")).toEqual([0, archive(then)]);
    },
  );

  it("lists no snapshot whose header is none, and agrees to none of them", () => {
    snapshot(then);
    leave("snapshot", "torn", later);
    expect(asked("kept")).toEqual({ copy: null, snapshots: [then] });
    asked("agree");
    expect(ask("get")).toEqual([0, archive(then)]);
  });

  it.each(["copy", "snapshot"] as const)(
    "goes on with the last %s until the next one is there as a whole",
    (kind) => {
      leave(kind, archive(then), then);
      ask("put vnf-a-masternode-1", archive(later).slice(0, 20));
      if (kind === "snapshot") asked("agree");
      expect(ask("get")).toEqual([0, archive(then)]);
    },
  );

  it("keeps the newest 24 snapshots by its own clock", () => {
    const times = Array.from({ length: 26 }, (_, i) => `2026-11-23T03:00:${String(59 - i)}Z`);
    times.forEach((time, i) => {
      snapshot(time);
      const age = Date.now() / 1000 - 300 + i;
      utimesSync(standIns.at(`.vnfm-control-plane/snapshot-${time}`), age, age);
    });
    snapshot(then);
    expect(asked("kept")).toEqual({ copy: null, snapshots: [then, ...times.slice(3).reverse()] });
  });

  it("has a recent snapshot for four minutes", () => {
    expect(ask("recent")).toEqual([1, ""]);
    snapshot(then);
    expect(ask("recent")).toEqual([0, ""]);
    const old = Date.now() / 1000 - 250;
    utimesSync(standIns.at(`.vnfm-control-plane/snapshot-${then}`), old, old);
    expect(ask("recent")).toEqual([1, ""]);
  });

  it("lets masters send at the same time", () => {
    ask("put vnf-a-masternode-1", archive(then));
    ask("put vnf-a-masternode-2", archive(later));
    ask(`keep snapshot vnf-a-masternode-1 ${then}`);
    ask(`keep snapshot vnf-a-masternode-2 ${later}`);
    expect(asked("kept")).toEqual({ copy: null, snapshots: [later, then] });
  });

  it("stores in a directory of a volume, and nowhere else if that is not mounted", () => {
    expect(prepare(standIns.at("volume"))).toBeUndefined();
    snapshot(then);
    const folder = standIns.at("volume/.vnfm-control-plane");
    expect(readdirSync(folder)).toEqual([`snapshot-${then}`]);
    rmSync(folder, { recursive: true });
    expect(ask("put vnf-a-masternode-1", archive(then))[0]).not.toBe(0);
    expect(readdirSync(standIns.at("volume"))).toEqual([]);
  });

  it("has nothing of a transfer whose connection is gone in the next one", async () => {
    const env = { ...process.env, SSH_ORIGINAL_COMMAND: "put vnf-a-masternode-1" };
    const gone = spawn("bash", ["-c", command], { cwd: standIns.folder, env, stdio: "pipe" });
    gone.stdin.write("half of a former one");
    await until(10, "the former transfer", () =>
      Promise.resolve(
        standIns.read(".vnfm-control-plane/next-vnf-a-masternode-1") === "half of a former one",
      ),
    );
    leave("copy", "whole");
    gone.stdin.end(", and its end");
    await once(gone, "close");
    expect(ask("get")).toEqual([0, "whole"]);
  });

  it("does nothing else for that key", () => {
    leave("copy", "a copy");
    for (const wrong of [
      ...["", "id", "get /etc/shadow", "put", "put ../a", "put a b", "put; id", "keep", "keep copy a b; id"],
      ...["keep copy", "keep other a b", "has x", "bash -c id", "put $(id)", "put *"],
    ])
      expect(ask(wrong)).toEqual([2, ""]);
    expect(ask("get")).toEqual([0, "a copy"]);
  });

  describe("and gives it back to the next server", () => {
    /** Content that the new server has taken, or the reason why it takes nothing. */
    const restored = (notBefore: string) => {
      rmSync(standIns.at("told"), { force: true });
      const why = run(`unlock; store get | unpack "$not_before" /`, { not_before: notBefore });
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
      const file = standIns.at(".vnfm-control-plane/copy");
      writeFileSync(file, Buffer.from(changed(readFileSync(file, "latin1")), "latin1"));
      expect(restored(then)).toContain(
        "is not what the control-plane node stored there: nothing of it is used",
      );
      expect(standIns.log()).toBe("");
    });
  });
});

describe("a snapshot", () => {
  const counted = (revision: number, keys: number) =>
    String.raw`printf '"Revision" : ${revision}\n"Count" : ${keys}\n'`;
  /** Runs the proof. @returns revision and number of keys, or the reason why nothing is sent */
  const proven = (living: string, proof: string, restored = "exit 0", etcd = "exec sleep 60") => {
    standIns.program(
      "etcdctl",
      `case "$*" in *" snapshot save "*) : >"\${!#}" ;; *:2379\\ *) ${living} ;; *) ${proof} ;; esac`,
    );
    standIns.program("etcdutl", `[ "$1 $2" = "snapshot restore" ] && ${restored}`);
    standIns.program("etcd", `echo "$*" >${standIns.at("flags")}; ${etcd}`);
    const call = `etcd_programs=${standIns.folder}; mkdir -p "$work"; save_proven && echo "$revision $key_count" >"${standIns.at("told")}"`;
    const others = { '"$1" </dev/null': call, "start < 60": "start < 2" };
    return standIns.run("control-plane-snapshots.sh", "create", {}, others) ?? standIns.log();
  };

  it("is proven by an etcd that begins with it, on loopback, for those who have a certificate of etcd", () => {
    expect(proven(counted(7, 3), counted(8, 4))).toBe("8 4\n");
    const flags = standIns.read("flags");
    for (const flag of [
      "client-cert-auth",
      "peer-client-cert-auth",
      "listen-client-urls=https://127.0.0.1:2389",
    ])
      expect(flags).toContain(`--${flag} `);
    expect(existsSync(standIns.at("vnfm-control-plane/proof"))).toBe(false);
  });

  it.each<[string, Parameters<typeof proven>, string]>([
    ["etcd has no majority", ["exit 1", counted(8, 4)], "etcd here has no answer, or no majority"],
    ["it is torn", [counted(7, 3), counted(8, 4), "{ echo torn >&2; exit 1; }"], "torn"],
    [
      "etcd ends with it",
      [counted(7, 3), "exit 1", "exit 0", "exit 1"],
      "etcd does not begin with the snapshot",
    ],
    ["etcd never answers with it", [counted(7, 3), "exit 1"], "etcd does not begin with the snapshot"],
    [
      "it has no keys",
      [counted(7, 3), counted(8, 0)],
      "the snapshot has 0 keys at revision 8, and etcd was at 7",
    ],
    [
      "it lacks writes",
      [counted(7, 3), counted(6, 3)],
      "the snapshot has 3 keys at revision 6, and etcd was at 7",
    ],
  ])("is not sent where %s", (_, [living, proof, restored, etcd], why) => {
    expect(proven(living, proof, restored, etcd)).toContain(why);
    expect(standIns.log()).toBe("");
  });
});

it("the check finds the timer of the snapshots where it has stopped", () => {
  const found = (isActive: boolean) => {
    standIns.program("systemctl", isActive ? "exit 0" : "exit 3");
    const others = { '"$1" </dev/null': `"$1" </dev/null >"${standIns.at("told")}"` };
    expect(standIns.run("control-plane-snapshots.sh", "check", {}, others)).toBeUndefined();
    return standIns.log();
  };
  expect([found(true), found(false)]).toEqual(["", "the timer vnfm-control-plane-snapshot does not run\n"]);
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
  const restored = (ssh: string, notBefore = "", others: Readonly<Record<string, string>> = {}) => {
    standIns.program("ssh", `${standIns.once()}\n${ssh}`);
    standIns.program("ssh-keygen", "echo key");
    const names = ["store_node", "store_address", "store_user", "store_host_key", "store_key"];
    const data = { ...Object.fromEntries(names.map((name) => [name, name])), provider_id: "" };
    return standIns.run("control-plane-copy.sh", "create", { ...data, not_before: notBefore }, others);
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

  it("selects the snapshot of the restore on a worker that is new, and has none of another time", () => {
    const store = `[ "\${!#}" != "agree 2026-11-23T03:05:00Z" ] && exit 1; echo agreed >>${standIns.at("told")}`;
    const others = { "  systemctl stop kubelet\n  store get": '  die "goes on"\n  store get' };
    expect([restored(store, "2026-11-23T03:05:00Z", others), standIns.log()]).toEqual([
      expect.stringContaining("goes on"),
      "agreed\n",
    ]);
    expect(restored(store, "2026-11-23T03:10:00Z", others)).toContain(
      "and store_node has no copy of the control plane",
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
