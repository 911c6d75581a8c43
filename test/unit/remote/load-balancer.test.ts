/** The load balancer's script, with an HAProxy and a keepalived that refuse what has the word "invalid" in it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";
import { renderKeepalivedConfig } from "../../../components/render/keepalived-config";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const told = () => standIns.log().split("\n").filter(Boolean);

const HAPROXY = "etc/haproxy/haproxy.cfg";
const KEEPALIVED = "etc/keepalived/keepalived.conf";
const DATA = {
  address: "10.0.0.5",
  haproxy_config: "global",
  keepalived_config: "vrrp",
  http_proxy_url: "",
  https_proxy_url: "",
  no_proxy_list: "",
};

/** @param reloads whether the services do */
function create(changes: Partial<typeof DATA> = {}, reloads = true): string | undefined {
  const note = `echo "\${0##*/} $*" >>${standIns.at("told")}`;
  for (const name of ["haproxy", "keepalived"]) {
    standIns.program(name, `${note}; ! grep invalid "\${!#}"`);
  }
  standIns.program("ip", "echo '2: eth0 inet 10.0.0.5/24'");
  standIns.program("cloud-init", "exit 0");
  standIns.program("systemctl", `[ "$1" = is-active ] || ${note}; [ "$1" != reload ] || ${reloads}`);
  return standIns.run("load-balancer.sh", "create", { ...DATA, ...changes });
}

const configs = () => [HAPROXY, KEEPALIVED].map((file) => readFileSync(standIns.at(file), "utf8"));
const reloads = () => told().filter((line) => line.startsWith("systemctl reload"));

beforeEach(() => {
  for (const folder of ["etc/haproxy", "etc/keepalived"]) {
    mkdirSync(standIns.at(folder), { recursive: true });
  }
  for (const file of [HAPROXY, KEEPALIVED]) writeFileSync(standIns.at(file), "before\n");
});

it("the script checks both configurations, then replaces them, and only those who run it may read the password", () => {
  expect(create()).toBeUndefined();
  expect(told()).toEqual([
    `haproxy -c -f ${standIns.at(HAPROXY)}.new`,
    `keepalived -t -f ${standIns.at(KEEPALIVED)}.new`,
    "systemctl enable -q haproxy",
    "systemctl reload haproxy",
    "systemctl enable -q keepalived",
    "systemctl reload keepalived",
  ]);
  expect(configs()).toEqual(["global\n", "vrrp\n"]);
  expect([HAPROXY, KEEPALIVED].map((file) => statSync(standIns.at(file)).mode & 0o777)).toEqual([
    0o644, 0o600,
  ]);
});

it.each([
  ["haproxy.cfg", { haproxy_config: "invalid" }],
  ["keepalived.conf", { keepalived_config: "invalid" }],
])("the script changes and reloads nothing where %s is invalid, and fails", (file, changes) => {
  expect(create(changes)).toContain(`${file} is not valid: see the lines above`);
  expect(configs()).toEqual(["before\n", "before\n"]);
  expect(told().filter((line) => line.startsWith("systemctl"))).toEqual([]);
});

it("the script reloads nothing where nothing has changed", () => {
  expect(create()).toBeUndefined();
  expect(create()).toBeUndefined();
  expect(reloads()).toEqual(["systemctl reload haproxy", "systemctl reload keepalived"]);
});

it("the script reloads what an earlier run did not get to, whatever was refused in between", () => {
  expect(create({}, false)).toBeDefined();
  expect(configs()).toEqual(["global\n", "before\n"]);
  expect(create({ keepalived_config: "invalid" })).toBeDefined();
  expect(create()).toBeUndefined();
  expect(reloads()).toEqual(["haproxy", "haproxy", "keepalived"].map((name) => `systemctl reload ${name}`));
});

it("the script fails where the node does not have the address", () => {
  expect(create({ address: "10.0.0.50" })).toContain("no interface has the address 10.0.0.50");
  expect(configs()).toEqual(["before\n", "before\n"]);
});

describe("the peers of keepalived", () => {
  const peersAmong = (...addresses: string[]) => {
    const keepalived_config = renderKeepalivedConfig({
      ...{ virtualRouterId: 7, password: "secret", virtualIp: "10.0.0.9", address: "10.0.0.5", addresses },
    });
    expect(create({ keepalived_config })).toBeUndefined();
    const [, config = ""] = configs();
    return config.split("\n").filter((line) => /unicast|^ {8}10\.0\.0\.\d( |$)/.test(line));
  };
  const UNICAST = ["    unicast_src_ip 10.0.0.5", "    unicast_peer {"];

  it("are none of a sole load balancer, as keepalived refuses unicast without a peer", () => {
    expect(peersAmong("10.0.0.5")).toEqual([]);
    expect(peersAmong("10.0.0.5", "10.0.0.6")).toEqual([...UNICAST, "        10.0.0.6"]);
  });

  it("stay those that leave, until the declared ones change again", () => {
    expect(peersAmong("10.0.0.5", "10.0.0.6", "10.0.0.7")).toHaveLength(4);
    const leaving = [...UNICAST, "        10.0.0.6 # leaves", "        10.0.0.7 # leaves"];
    expect(peersAmong("10.0.0.5")).toEqual(leaving);
    expect(peersAmong("10.0.0.5")).toEqual(leaving);
  });
});

describe("the virtual addresses that a node holds", () => {
  /** @param addresses of the node, as `ip -o address show` has them @returns what the script prints */
  const held = (virtual: string, ...addresses: string[]) => {
    standIns.program("ip", addresses.map((one) => `echo '2: eth0 inet ${one}'`).join("; "));
    const keepalived_config = renderKeepalivedConfig({
      ...{ virtualRouterId: 7, password: "secret", virtualIp: virtual },
      ...{ address: "10.0.0.5", addresses: ["10.0.0.5", "10.0.0.6"] },
    });
    const text = scriptText("load-balancer.sh").replace("PATH=/", `PATH=${standIns.folder}:/`);
    const input = shellAssignments({ ...DATA, keepalived_config }) + text;
    return execFileSync("bash", ["-s", "holds"], { input, encoding: "utf8" });
  };

  it.each([
    ["10.0.0.9", ["10.0.0.5/24", "10.0.0.9/24"], "10.0.0.9\n"],
    ["10.0.0.9", ["10.0.0.5/24", "10.0.0.90/24"], ""],
    ["fd00::9", ["10.0.0.5/24", "fd00::9/64"], "fd00::9\n"],
    ["fd00::9", [], ""],
  ])("%s is on a node with %j: %j", (virtual, addresses, printed) => {
    expect(held(virtual, ...addresses)).toBe(printed);
  });
});
