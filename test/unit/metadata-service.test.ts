/** The program that keeps pods from the cloud's metadata service, with programs that stand in for the firewall's. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { at, items } from "../../components/kube/objects/object";
import { METADATA_SERVICE } from "../../components/plan/metadata-service";
import { scriptText } from "../../components/remote/script-text";
import { parseAllDocuments } from "yaml";
import { StandIns } from "./remote/stand-ins";

const standIns = new StandIns();
const DROP_IN = "etc/systemd/system/kubelet.service.d/20-metadata-service.conf";

/** Keeps the rules that it is given in a file, and looks there for the one that it is asked about. */
const iptables = () => `
rules="${standIns.at("rules")}"
rule="\${0##*/} $4 $5 $6 $7 $8 $9 \${10} \${11} \${12}"
case "$*" in
  "-w -t mangle -C "*) grep -qxF -- "\${rule/-C /}" "$rules" 2>/dev/null ;;
  "-w -t mangle -I "*) printf '%s\\n' "\${rule/-I /}" >>"$rules" ;;
  *) exit 9 ;;
esac
`;

/** Keeps the rules that it is given in a file, and shows them. */
const nft = () => `
case "$*" in
  "-f -") cat >"${standIns.at("table")}" ;;
  "list table inet vnfm_metadata") cat "${standIns.at("table")}" ;;
esac
`;

/** Runs the program on a machine that has these programs and no other of a firewall. */
function run(verb: string, firewall: Readonly<Record<string, string>>) {
  for (const tool of ["bash", "cat", "grep", "mkdir"]) {
    rmSync(standIns.at(tool), { force: true });
    symlinkSync(`/bin/${tool}`, standIns.at(tool));
  }
  for (const name of ["nft", "iptables", "ip6tables"]) rmSync(standIns.at(name), { force: true });
  for (const [name, text] of Object.entries(firewall)) standIns.program(name, text);
  standIns.program("systemctl", `echo "$*" >>"${standIns.at("told")}"`);
  const input = METADATA_SERVICE.content
    .replaceAll("/etc/systemd", standIns.at("etc/systemd"))
    .replaceAll("/proc/net", standIns.folder);
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-s", verb], {
    ...{ input, encoding: "utf8", env: { PATH: standIns.folder } },
  });
  return { status, stdout: stdout.split("\n").filter(Boolean), stderr };
}

const CLOSED = { status: 0, stdout: [], stderr: "" };
const OPEN = "pods reach the cloud's metadata service, which shows the user data of the server";
const RULES = ["INPUT", "FORWARD"].map((chain) => `${chain} ! -i lo -d 169.254.169.254 -j DROP`);
const RULES_OF_IPV6 = ["INPUT", "FORWARD"].map((chain) => `${chain} ! -i lo -d fe80::a9fe:a9fe -j DROP`);
const withIptables = () => ({ iptables: iptables(), ip6tables: iptables() });

it("drops what does not come from the server itself by nft, for both families, at once and before the kubelet", () => {
  expect(run("install", { nft: nft(), ...withIptables() })).toEqual(CLOSED);
  expect(standIns.read("table")).toContain(
    `  chain prerouting {
    type filter hook prerouting priority -90
    iifname != "lo" ip daddr 169.254.169.254 drop
    iifname != "lo" ip6 daddr fe80::a9fe:a9fe drop
  }
`,
  );
  expect(standIns.read("rules")).toBe("");
  expect(standIns.read(DROP_IN)).toMatch(
    /^\[Service\]\nExecStartPre=\/bin\/sh \/etc\/kubernetes\/metadata-service\.sh close\n$/m,
  );
  expect(standIns.read("etc/systemd/system/nftables.service.d/20-metadata-service.conf")).toBe(
    ["[Service]", "ExecStartPost=-", "ExecReload=-", ""]
      .join("\n")
      .replaceAll("=-", "=-/bin/sh /etc/kubernetes/metadata-service.sh close"),
  );
  expect(standIns.log()).toBe("daemon-reload\n");
});

it("the program takes iptables where the image has no nft, or one that the kernel does not take, with each rule once", () => {
  writeFileSync(standIns.at("if_inet6"), "");
  const rules = [
    ...RULES.map((rule) => `iptables ${rule}`),
    ...RULES_OF_IPV6.map((rule) => `ip6tables ${rule}`),
  ];
  for (const firewall of [withIptables(), { nft: "cat >/dev/null; exit 1", ...withIptables() }]) {
    expect(run("close", firewall)).toEqual(CLOSED);
    expect(standIns.read("rules").trim().split("\n")).toEqual(rules);
  }
});

it("the program leaves IPv6 out where the kernel has none", () => {
  expect(run("close", withIptables())).toEqual(CLOSED);
  expect(standIns.read("rules").trim().split("\n")).toEqual(RULES.map((rule) => `iptables ${rule}`));
});

it.each(["install", "close"])("the program fails at %s where the image has neither, and says so", (verb) => {
  expect(run(verb, {})).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      "neither nft nor iptables closes the metadata service to pods: the image needs one of them",
    ) as string,
  });
});

describe.each([
  ["nft", () => ({ nft: nft() }), "table"],
  ["iptables", withIptables, "rules"],
])("its check, with %s", (_, firewall, kept) => {
  it("finds nothing on a machine that is closed", () => {
    run("install", firewall());
    expect(run("check", firewall())).toEqual(CLOSED);
  });

  it("finds rules that were flushed, some of them or all", () => {
    run("install", firewall());
    const rules = standIns.read(kept);
    writeFileSync(standIns.at(kept), rules.replace(/.*169\.254\.169\.254.*\n/, ""));
    expect(run("check", firewall()).stdout).toEqual([OPEN]);
    rmSync(standIns.at(kept));
    expect(run("check", firewall()).stdout).toEqual([OPEN]);
  });

  it("finds that the kubelet would start without it", () => {
    run("install", firewall());
    rmSync(standIns.at(DROP_IN));
    expect(run("check", firewall()).stdout).toEqual([
      expect.stringMatching(/no longer exists, so pods would reach/),
    ]);
  });
});

describe("on a node of a cluster VNF", () => {
  const NODE = { node_name: "vnf-a-workernode-1", node_address: "10.0.0.2" };
  const program = () => standIns.read(`etc/kubernetes/metadata-service.sh`);

  /** Runs a part of prepare-node.sh, and of the program its copy in the folder. */
  const onNode = (part: string) => {
    for (const [name, text] of Object.entries(withIptables())) standIns.program(name, text);
    standIns.program("nft", "cat >/dev/null; exit 1");
    standIns.program("systemctl", "");
    const printed = standIns.at("printed");
    return standIns.run("prepare-node.sh", part, NODE, {
      '"$1" </dev/null\n': `"$1" </dev/null >${printed}\n`,
      exclusively: ":",
    });
  };

  it("is the same text as on machines of Cluster API", () => {
    expect(scriptText("prepare-node.sh")).toContain(`<<'PROGRAM'\n${METADATA_SERVICE.content}PROGRAM\n`);
    expect(scriptText("prepare-node.sh")).toContain(`metadata_service=${METADATA_SERVICE.path}\n`);
  });

  it("is there, and is at work, once the node is prepared", () => {
    expect(onNode("close_metadata_service")).toBeUndefined();
    expect(program()).toContain("iifname != ");
    expect(standIns.read("rules")).toContain(`iptables ${RULES[1]}\n`);
    writeFileSync(standIns.at("etc/hosts"), `${NODE.node_address} ${NODE.node_name}\n`);
    expect(onNode("check")).toBeUndefined();
    expect(standIns.read("printed")).toBe("");
    rmSync(standIns.at("rules"));
    onNode("check");
    expect(standIns.read("printed")).toBe(`${OPEN}\n`);
  });

  it("is missed by the node's check", () => {
    mkdirSync(standIns.at("etc"));
    onNode("check");
    expect(standIns.read("printed")).toContain("metadata-service.sh no longer exists\n");
  });
});

it.each(["control-plane", "workers"])(
  "the program is in the manifests of a workload cluster too: %s",
  (name) => {
    const file = `vnf-packages/workload-cluster/Files/kubernetes/${name}.yaml`;
    const configs = parseAllDocuments(readFileSync(file, "utf8"))
      .map((document) => document.toJS() as unknown)
      .map((object) => at(object, "spec", "kubeadmConfigSpec") ?? at(object, "spec", "template", "spec"))
      .filter((spec) => at(spec, "preKubeadmCommands") !== undefined);
    expect(configs).toHaveLength(1);
    expect(items(at(configs[0], "files"))).toEqual([METADATA_SERVICE]);
    expect(items(at(configs[0], "preKubeadmCommands"))[0]).toBe(`${METADATA_SERVICE.path} install`);
    // variables are filled in before
    expect(METADATA_SERVICE.content).not.toMatch(/\$[{$]/);
  },
);
