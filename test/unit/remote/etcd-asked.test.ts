/** Whose etcd is asked as a master leaves, with a kubectl that notes on which master it runs etcdctl. */
import { StandIns } from "./stand-ins";

const standIns = new StandIns();

const MASTERS = { "master-1": "10.0.0.1", "master-17": "10.0.0.12", "master-170": "10.0.0.120" };
type Master = keyof typeof MASTERS;

const told = () => standIns.log().split("\n").filter(Boolean);
/** Each master of whose etcd anything was asked, but whether it leads, in the order in which they were. */
const asked = () => [
  ...new Set(told().flatMap((line) => (line.includes(" endpoint status ") ? [] : line.split(" ", 1)))),
];
const removals = () => told().filter((line) => line.includes(" member remove "));

const lines = (line: (name: string, address: string) => string) =>
  `printf '%s\\n' ${Object.entries(MASTERS)
    .map(([master, address]) => `'${line(master, address)}'`)
    .join(" ")}`;
const members = lines(
  (master, address) =>
    `id-${master}, started, ${master}, https://${address}:2380, https://${address}:2379, false`,
);
const healthy = lines((_, address) => `https://${address}:2379 is healthy: took 2ms`);

const dataOf = (name: Master) => ({
  ...{ node_name: name, node_address: MASTERS[name], node_role: "master" },
  ...{ drain_seconds: "60", delete_emptydir_data: "true" },
});

/**
 * @param here the master that the script runs on
 * @param ill the one whose etcd is not well
 */
function leave(name: Master, here: Master, ill?: Master): string | undefined {
  standIns.program("hostname", `echo ${here}`);
  standIns.program(
    "kubectl",
    `case "$*" in
      *" exec "*) master=\${6#etcd-}; echo "$master \${*:17}" >>${standIns.at("told")} ;;
      *"get nodes "*) printf 'node/%s\\n' ${Object.keys(MASTERS).join(" ")} ;;
      *"get node "*"-o name") echo "node/$3" ;;
      *jsonpath*) echo True ;;
    esac
    case "$*" in
      *"member list"*) ${members} ;;
      *"health --cluster") ${healthy} ;;
      *"endpoint health") [ "$master" != "${ill ?? ""}" ] ;;
    esac`,
  );
  return standIns.run("membership.sh", "delete", dataOf(name), { "rejoin_seconds=600": "rejoin_seconds=0" });
}

/** No kubelet lets anybody in: etcd is asked from the container that runs on the script's master. */
function leaveWithoutKubelets(name: Master, here: Master): string | undefined {
  const cases = Object.entries(MASTERS).map(
    ([master, address]) => `*"get node ${master} "*InternalIP*) echo ${address} ;;`,
  );
  standIns.program("hostname", `echo ${here}`);
  standIns.program(
    "kubectl",
    `case "$*" in
      *" exec "*) echo "x509: certificate has expired" >&2; exit 1 ;;
      ${cases.join("\n")}
      *"get nodes "*) printf 'node/%s\n' ${Object.keys(MASTERS).join(" ")} ;;
      *"get node "*"-o name") echo "node/$3" ;;
      *jsonpath*) echo "$3 True" ;;
    esac`,
  );
  standIns.program(
    "ctr",
    `case "$*" in
      *"tasks ls") printf 'TASK PID STATUS\nended 1 STOPPED\nrunning 2 RUNNING\n' ;;
      *"containers ls -q "*) [[ $* = *'"io.kubernetes.pod.name"==etcd-${here},'* ]] && printf 'ended\nrunning\n' ;;
      *"tasks exec --exec-id vnfm-"*" running etcdctl --endpoints "*)
        echo "\${10#https://} \${*:17}" >>${standIns.at("told")}
        case "$*" in
          *"member list"*) ${members} ;;
          *"health --cluster") ${healthy} ;;
        esac ;;
      *) exit 1 ;;
    esac`,
  );
  return standIns.run("membership.sh", "delete", dataOf(name), { "rejoin_seconds=600": "rejoin_seconds=0" });
}

describe("the etcd that is asked", () => {
  it.each([
    ["master-17", "master-1", "127.0.0.1:2379"],
    ["master-1", "master-1", "10.0.0.12:2379"],
  ] as const)("is reached, as %s leaves, from the container on %s: %s", (name, here, endpoint) => {
    expect(leaveWithoutKubelets(name, here)).toBeUndefined();
    expect(asked()).toEqual([endpoint]);
    expect(removals()).toEqual([`${endpoint} member remove id-${name}`]);
  });

  it.each([
    ["master-1", "master-17"],
    ["master-17", "master-1"],
    ["master-170", "master-1"],
  ] as const)("is not that of %s, which leaves, though the script runs there: %s has one", (name, other) => {
    expect(leave(name, name)).toBeUndefined();
    expect(asked()).toEqual([other]);
    expect(removals()).toEqual([`${other} member remove id-${name}`]);
  });

  it("is that of the script's own master where it is well", () => {
    expect(leave("master-1", "master-170")).toBeUndefined();
    expect(asked()).toEqual(["master-170"]);
    expect(removals()).toEqual(["master-170 member remove id-master-1"]);
  });

  it("is another one's where that of the script's own master is ill, for all but the question", () => {
    expect(leave("master-1", "master-17", "master-17")).toBeUndefined();
    expect(asked()).toEqual(["master-17", "master-170"]);
    expect(new Set(told().filter((line) => line.startsWith("master-17 ")))).toEqual(
      new Set(["master-17 endpoint health"]),
    );
    expect(removals()).toEqual(["master-170 member remove id-master-1"]);
  });
});
