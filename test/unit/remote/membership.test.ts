/** A node that leaves its cluster, with a kubectl that answers as the cluster would. */
import { mayLeave } from "../../../components/kube/cluster/quorum";
import { AT_ONCE, StandIns } from "./stand-ins";

const standIns = new StandIns();
const told = () => standIns.log().split("\n").filter(Boolean);

const data = {
  node_name: "a",
  node_address: "10.0.0.5",
  node_role: "worker",
  drain_seconds: "60",
  delete_emptydir_data: "true",
};

/** @param cases of kubectl's arguments that come before the others */
function kubectl(cases: string): void {
  standIns.program(
    "kubectl",
    `${standIns.once()}
    told=${standIns.at("told")}
    tell() { echo "$*" >>$told; }
    case "$*" in
      ${cases}
      *"get node "*"-o name") echo "node/$3" ;;
      *unschedulable*) echo "$3 true" ;;
      *"-o jsonpath"*) echo "$3 True" ;;
      *proxy/healthz* | *readyz*) ;;
      *) tell "$*" ;;
    esac`,
  );
}

/**
 * Runs the script with `delete`, and with `drain` before that for a master.
 *
 * @param rejoin seconds that another master has to come back; one that does may take a while on a busy machine
 * @param others what else of the script's text is another one
 */
const leave = (
  changes: Partial<typeof data> = {},
  rejoin = 0,
  others: Readonly<Record<string, string>> = {},
) => {
  const its = { ...data, ...changes };
  const texts = { "rejoin_seconds=600": `rejoin_seconds=${rejoin}`, ...others };
  const run = (verb: string) => standIns.run("membership.sh", verb, its, texts);
  return (its.node_role === "master" ? run("drain") : undefined) ?? run("delete");
};

const drainOf = (name: string, emptyDir = true) =>
  `drain ${name} --ignore-daemonsets --delete-emptydir-data=${emptyDir} --timeout=60s`;
const deletionOf = (name: string) => `delete node ${name} --ignore-not-found`;

describe("a worker that leaves", () => {
  it.each([true, false])("is drained in the time that it has, with emptyDir data gone: %j", (isGone) => {
    kubectl("");
    expect(leave({ delete_emptydir_data: String(isGone) })).toBeUndefined();
    expect(told()).toEqual(["cordon a", drainOf("a", isGone), deletionOf("a")]);
  });

  it("is drained though the API and its kubelet miss a question", () => {
    kubectl(`*"-o name") once node; echo node/a ;;
      *proxy/healthz*) once kubelet ;;`);
    expect(leave()).toBeUndefined();
    expect(told()).toEqual(["cordon a", drainOf("a"), deletionOf("a")]);
  });

  const SILENT = "*proxy/healthz*) exit 1 ;;";
  const STILL = '*"get lease"*) echo "2026-01-01T00:00:00Z 1" ;;';
  const RENEWED = '*"get lease"*) echo >>$told.leases; echo "$(wc -l <$told.leases) 40" ;;';
  const NOT_READY = '*"-o jsonpath={.metadata.name} {.status"*) echo "a Unknown" ;;';

  it.each([
    ["its Node is not Ready", NOT_READY + RENEWED],
    ["its lease is not renewed", STILL],
    ["it has no lease", '*"get lease"*) ;;'],
  ])("is not drained where its kubelet does not answer and %s", (_why, gone) => {
    kubectl(SILENT + gone);
    expect(leave()).toBeUndefined();
    expect(told()).toEqual(["cordon a", deletionOf("a")]);
  });

  it.each([
    ["its kubelet answers nobody, and renews its lease", SILENT + RENEWED],
    ["its Node is not Ready, and its kubelet answers", NOT_READY],
    [
      "the API misses questions about it",
      `${SILENT}*"-o jsonpath={.metadata.name} {.status"*) once ready; echo "a True" ;;
      *"get lease"*) once lease; echo >>$told.leases; echo "$(wc -l <$told.leases) 40" ;;`,
    ],
  ])("is drained where %s", (_why, alive) => {
    kubectl(alive);
    expect(leave()).toBeUndefined();
    expect(told()).toEqual(["cordon a", drainOf("a"), deletionOf("a")]);
  });

  it("stays where it cannot be read whether it is Ready", () => {
    kubectl(`${SILENT}*"-o jsonpath={.metadata.name} {.status"*) exit 1 ;;`);
    expect(leave()).toContain("whether node a is Ready cannot be read");
    expect(told()).toEqual(["cordon a"]);
  });

  it("stays where it takes pods again after its drain, as one that was taken back", () => {
    kubectl(`*unschedulable*) grep -q drain ${standIns.at("told")} && echo "a " || echo "a true" ;;`);
    expect(leave()).toContain("node a takes pods again");
    expect(told()).toEqual(["cordon a", drainOf("a")]);
  });

  it("stays where its pods may not move", () => {
    kubectl('drain*) tell "$*"; exit 1 ;;');
    expect(leave()).toContain(
      "node a cannot be drained in 60 s: the lines above name the pods and their budgets",
    );
    expect(told()).toEqual(["cordon a", drainOf("a")]);
  });
});

describe("a master that leaves", () => {
  interface Etcd {
    /** Address by name of the masters, all of which are its members. */
    readonly masters: Readonly<Record<string, string>>;
    /** The member that has no name yet. */
    readonly unstarted?: string;
    /** Who is well each time that all are asked; the last of them from then on. */
    readonly well: readonly (readonly string[])[];
    /** The member that leads. */
    readonly leader?: string;
    /** The node that is declared as the only one. */
    readonly only?: string;
  }

  const inUrl = (address: string) => (address.includes(":") ? `[${address}]` : address);

  /** @param cases of kubectl's arguments that come before the others */
  function etcd({ masters, unstarted, well, leader, only = "" }: Etcd, leaving: string, cases = ""): void {
    const lines = Object.entries(masters).map(([name, address]) => {
      const [peer, client] = [2380, 2379].map((port) => `https://${inUrl(address)}:${port}`);
      return name === unstarted
        ? `'id-${name}, unstarted, , ${peer}, , false'`
        : `'id-${name}, started, ${name}, ${peer}, ${client}, false'`;
    });
    const health = well.map(
      (names, i) =>
        `${i}) printf 'https://%s:2379 is healthy: successfully committed\\n' ${names
          .map((name) => `'${inUrl(masters[name] ?? "")}'`)
          .join(" ")} ;;`,
    );
    const status = `https://127.0.0.1:2379, id-${leaving}, 3.6.4, 3.6.0, 20 kB, 16 kB, 20%, 2.1 GB, ${leader === leaving}, false, 2, 9, 9, , , false`;
    // the script runs on the one that leaves
    standIns.program("hostname", `echo ${leaving}`);
    kubectl(`${cases}
      *"exec -c etcd etcd-${leaving} "*"endpoint status"*) echo '${status}' ;;
      *"exec -c etcd etcd-${leaving} "*"move-leader"*) tell "\${!#} leads" ;;
      *"exec -c etcd etcd-${leaving} "*) tell "asks who leaves" ;;
      *only-control-plane-node*) echo '${only}' ;;
      *"get nodes"*) printf 'node/%s\\n' ${Object.keys(masters).join(" ")} ;;
      *"member list"*) printf '%s\\n' ${lines.join(" ")} ;;
      *"health --cluster"*)
        echo >>${standIns.at("times")}
        times=$(wc -l <${standIns.at("times")})
        case $((times < ${well.length} ? times - 1 : ${well.length - 1})) in ${health.join(" ")} esac ;;
      *"endpoint health"*) ;;
      *"member remove"*) tell "remove \${!#}" ;;`);
  }

  const trio = { a: "10.0.0.5", b: "10.0.0.6", c: "10.0.0.7" };
  const quintet = { ...trio, d: "10.0.0.8", e: "10.0.0.9" };
  const leaveEtcd = (changes: Partial<typeof data> = {}, rejoin?: number) =>
    leave({ node_role: "master", ...changes }, rejoin);
  const left = (name: string) => [`cordon ${name}`, drainOf(name), `remove id-${name}`, deletionOf(name)];

  it.each<[string, Etcd]>([
    ["three of which all are well", { masters: trio, well: [["a", "b", "c"]] }],
    ["three of which it alone is not", { masters: trio, well: [["b", "c"]] }],
    ["five of which it and another one are not", { masters: quintet, well: [["c", "d", "e"]] }],
    ["two of which the other one is well", { masters: { a: "10.0.0.5", b: "10.0.0.6" }, well: [["a", "b"]] }],
  ])("leaves etcd of %s", (_what, world) => {
    etcd(world, "a");
    expect(leaveEtcd()).toBeUndefined();
    expect(told()).toEqual(left("a"));
  });

  it.each<[string, Partial<Etcd>, readonly string[]]>([
    ["another one that is well", { leader: "a" }, ["id-b leads"]],
    [
      "another one that is well",
      {
        masters: quintet,
        leader: "a",
        well: [["a", "c", "d", "e"]],
      },
      ["id-c leads"],
    ],
    ["nobody where another one leads", { leader: "b" }, []],
    ["nobody where it is not well", { leader: "a", well: [["b", "c"]] }, []],
  ])("hands the leadership of etcd to %s", (_whom, world, handed) => {
    etcd({ masters: trio, well: [["a", "b", "c"]], ...world }, "a");
    expect(leaveEtcd()).toBeUndefined();
    expect(told()).toEqual([...left("a").slice(0, 2), ...handed, ...left("a").slice(2)]);
  });

  it("leaves etcd though it cannot hand the leadership over", () => {
    etcd({ masters: trio, well: [["a", "b", "c"]], leader: "a" }, "a", "*move-leader*) exit 1 ;;");
    expect(leaveEtcd()).toBeUndefined();
    expect(told()).toEqual(left("a"));
  });

  it("goes where the others are the majority that the program knows, and of two where it has waited", () => {
    const call = `count_members() { voters=$v well=$w; }
      for v in 1 2 3 4 5 6 7; do for ((w = 0; w < v; w++)); do
        ! others_are_a_majority || echo "$v $w" >>"${standIns.at("told")}"
        ! other_of_two_is_well || echo "of two $v $w" >>"${standIns.at("told")}"
      done; done`;
    expect(standIns.run("membership.sh", "delete", data, { '"$1" </dev/null': call })).toBeUndefined();
    const counts = [1, 2, 3, 4, 5, 6, 7].flatMap((voters) =>
      Array.from({ length: voters }, (_, well) => [voters, well] as const),
    );
    const may = counts.filter(([voters, well]) => mayLeave(voters, well));
    const expected = [...may.map(([voters, well]) => `${voters} ${well}`), "of two 2 1"];
    expect(told().sort()).toEqual(expected.sort());
  });

  it("does not wait for a third one where the other one is declared as the only one", () => {
    etcd({ masters: { a: "10.0.0.5", b: "10.0.0.6" }, well: [["a", "b"]], only: "b" }, "a");
    const begin = Date.now();
    expect(leaveEtcd({}, 600)).toBeUndefined();
    expect(Date.now() - begin).toBeLessThan(60_000);
    expect(told()).toEqual(left("a"));
  });

  it("stays where it is declared as the only one, and says so at once", () => {
    etcd({ masters: { a: "10.0.0.5" }, well: [["a"]], only: "a" }, "a");
    expect(leaveEtcd({}, 600)).toContain("a is the only control-plane node: add others first");
    expect(told()).toEqual([]);
  });

  it("waits until another one becomes well", () => {
    const [before, after] = [
      ["b", "c"],
      ["b", "c", "d"],
    ];
    etcd({ masters: quintet, well: [before, after] }, "a");
    expect(leaveEtcd({}, 20)).toBeUndefined();
    expect(told()).toEqual(left("a"));
  });

  it("keeps its pods where it was taken back while it waited for another one", () => {
    etcd(
      {
        masters: trio,
        well: [
          ["a", "b"],
          ["a", "b", "c"],
        ],
      },
      "a",
      '*unschedulable*) echo "a " ;;',
    );
    expect(leaveEtcd({}, 20)).toContain("node a takes pods again");
    expect(told()).toEqual(["cordon a"]);
  });

  it.each<[string, Etcd]>([
    ["three of which one other is well", { masters: trio, well: [["a", "b"]] }],
    ["five of which two others are well", { masters: quintet, well: [["a", "b", "c"]] }],
    ["three of which no other is well", { masters: trio, well: [["a"]] }],
  ])("stays in etcd of %s, and keeps its pods", (_what, world) => {
    etcd(world, "a");
    expect(leaveEtcd()).toContain(
      "a cannot leave etcd: the members that are well without it are no majority. Heal the others first",
    );
    expect(told()).toEqual(["cordon a"]);
  });

  it("stays in etcd where another one dies while its pods move", () => {
    etcd({ masters: trio, well: [["b", "c"], ["b"]] }, "a");
    expect(leaveEtcd()).toContain("a cannot leave etcd");
    expect(told()).toEqual(left("a").slice(0, 2));
  });

  it("stays where the members of etcd are not known", () => {
    etcd({ masters: trio, well: [["a", "b", "c"]] }, "a", '*"member list"*) exit 1 ;;');
    expect(leave({ node_role: "master" }, 0, AT_ONCE)).toContain(
      "the members of etcd are not known, of which a is one",
    );
    expect(told()).toEqual([]);
  });

  it("stays in etcd where its pods may not move", () => {
    etcd({ masters: trio, well: [["a", "b", "c"]] }, "a", 'drain*) tell "$*"; exit 1 ;;');
    expect(leaveEtcd()).toContain("node a cannot be drained in 60 s");
    expect(told()).toEqual(["cordon a", drainOf("a")]);
  });

  it("leaves etcd though the API is moving to another master", () => {
    etcd(
      { masters: trio, well: [["b", "c"]] },
      "a",
      `*"get nodes"*) once nodes; printf 'node/%s\\n' a b c ;;
      *"member remove"*) once remove; tell "remove \${!#}" ;;
      *"-o name") ;;`,
    );
    expect(leaveEtcd()).toBeUndefined();
    expect(told()).toEqual(["remove id-a", deletionOf("a")]);
  });

  const alike = { "master-1": "10.0.0.1", "master-17": "10.0.0.12", "master-170": "10.0.0.120" };

  it.each(Object.entries(alike))(
    "is told from others whose name or address begins alike: %s",
    (name, address) => {
      for (const unstarted of [undefined, name]) {
        etcd({ masters: alike, well: [Object.keys(alike)], ...(unstarted && { unstarted }) }, name);
        expect(leaveEtcd({ node_name: name, node_address: address })).toBeUndefined();
      }
      expect(told()).toEqual([...left(name), ...left(name)]);
    },
  );

  describe("of addresses of IPv6", () => {
    const masters = { a: "fd00::5", b: "fd00::6", c: "fd00::7" };
    const node_address = masters.a;

    it("is not counted among those that are well without it", () => {
      etcd({ masters, well: [["a", "b"]] }, "a");
      expect(leaveEtcd({ node_address })).toContain("a cannot leave etcd");
      expect(told()).toEqual(["cordon a"]);
    });

    it("leaves etcd where it has not started", () => {
      etcd({ masters, unstarted: "a", well: [["b", "c"]] }, "a");
      expect(leaveEtcd({ node_address })).toBeUndefined();
      expect(told()).toEqual(left("a"));
    });
  });
});
