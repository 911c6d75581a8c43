/** What the scripts do while another process, as unattended-upgrades at a first boot, has a lock of apt or dpkg. */
import { existsSync, mkdirSync } from "node:fs";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const told = () => standIns.log().split("\n").filter(Boolean);

/** The words of apt 2.6 and dpkg 1.21. */
const LISTS = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (apt-get)";
const ARCHIVES =
  "E: Could not get lock /var/cache/apt/archives/lock. It is held by process 812 (unattended-upgr)";
const DPKG = "dpkg: error: dpkg frontend lock was locked by another process with pid 812";

const REPOSITORY = {
  apt_url: "http://mirror/",
  apt_suite: "/",
  apt_components: "",
  apt_key: btoa("key"),
  apt_version: "1.33.0",
  apt_packages: "",
  http_proxy_url: "",
  https_proxy_url: "",
  no_proxy_list: "",
};

/** Each of them is refused a lock so many times before it is let. */
function busy(times: Readonly<Record<string, readonly [times: number, words: string]>>): void {
  const cases = Object.entries(times).map(
    ([command, [count, words]]) => `"${command}") refused ${count} "${words}" ;;`,
  );
  const log = standIns.at("told");
  for (const name of ["apt-get", "apt-mark", "dpkg"]) {
    standIns.program(
      name,
      `
      refused() {
        [ "$(grep -cxF "$what refused" "${log}")" -lt $1 ] || return 0
        echo "$what refused" >>"${log}"
        echo "$2" >&2
        exit 100
      }
      what=${name}
      for word; do case $word in update | install | hold | --configure) what+=" $word" ;; esac; done
      touch "${log}"
      case $what in ${cases.join("\n")} esac
      echo "$what" >>"${log}"
      [ "$what" != "apt-get install" ] || : >"${standIns.at("installed")}"`,
    );
  }
}

beforeEach(() => {
  for (const name of ["flock", "hostnamectl"]) standIns.program(name, "exit 0");
  standIns.program("hostname", "echo node-1");
  standIns.program("apt-cache", "printf ' x | 1.33.0-1.1 | y\\n'");
  for (const [name, words] of Object.entries({
    kubelet: "Kubernetes v1.33.0",
    kubeadm: "v1.33.0",
    kubectl: "Client Version: v1.33.0",
  })) {
    standIns.program(name, `[ ! -e "${standIns.at("installed")}" ] || echo "${words}"`);
  }
  mkdirSync(standIns.at("etc/apt"), { recursive: true });
});

const WAITS = { "sleep 2": "sleep 0.05" };
const packages = (others = {}) =>
  standIns.run("prepare-node.sh", "packages", REPOSITORY, { ...WAITS, ...others });
const needs = (others = {}) =>
  standIns.run("prepare-node.sh", "create", REPOSITORY, {
    ...WAITS,
    'exclusively\n"$1"': "needs no-such-command a-package #",
    ...others,
  });

it("the script waits for each lock that a repository's packages need, and goes on", () => {
  busy({
    "apt-get update": [2, LISTS],
    "dpkg --configure": [1, DPKG],
    "apt-get install": [1, ARCHIVES],
    "apt-mark hold": [1, DPKG],
  });
  expect(packages()).toBeUndefined();
  expect(existsSync(standIns.at("etc/apt/sources.list.d/kubernetes.sources"))).toBe(true);
  expect(told()).toEqual([
    ...["apt-get update refused", "apt-get update refused", "apt-get update"],
    ...["dpkg --configure refused", "dpkg --configure"],
    // what would be installed is asked first
    ...["apt-get install refused", "apt-get install", "apt-get install"],
    ...["apt-mark hold refused", "apt-mark hold"],
  ]);
});

it("the script waits for them where it installs what an image lacks", () => {
  busy({ "apt-get update": [2, LISTS], "apt-get install": [1, DPKG] });
  expect(needs()).toBe(undefined);
  expect(told()).toEqual([
    ...["apt-get update refused", "apt-get update refused", "apt-get update"],
    ...["apt-get install refused", "apt-get install"],
  ]);
});

it.each([
  ["a repository", packages],
  ["what an image lacks", needs],
])(
  "the script says who has a lock that is not given in time, and nothing else is the fault: %s",
  (_, run) => {
    busy({ "apt-get update": [1000, LISTS] });
    expect(run({ ">= 300": ">= 1" })).toMatch(
      /\(apt-get\)\nnode-1: another process has held a lock of apt or dpkg for 300 s, see their words above: run again .*\n$/,
    );
  },
);

it("the script says apt's words, without a wait, where something else is wrong", () => {
  standIns.program("apt-get", 'echo "E: no such host" >&2; exit 100');
  expect(packages({ "sleep 2": "exit 99" })).toMatch(
    /^E: no such host\nnode-1: the apt repository http:\/\/mirror\/ cannot be read/,
  );
  expect(needs({ "sleep 2": "exit 99" })).toMatch(
    /E: no such host\nnode-1: no-such-command is not installed and apt-get cannot install a-package: use an image/,
  );
});
