/** The scripts' own checks, with the files of a folder and programs that only note what is asked of them. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderKeepalivedConfig } from "../../../components/render/keepalived-config";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";

const folder = mkdtempSync(join(tmpdir(), "vnfm-check-"));
const path = (name: string) => join(folder, "etc", name);

const PROGRAMS = `
settle() { :; }
needs() { :; }
exclusively() { :; }
ip() {
  echo '2: eth0    inet 10.0.0.50/24 brd 10.0.0.255'
  echo '3: eth1    inet 10.0.0.5/20 brd 10.0.15.255'
}
haproxy() { :; }
keepalived() { :; }
systemctl() {
  case $1 in
    is-active) [ -e "${folder}/$3" ] ;;
    start) : >"${folder}/$2" ;;
  esac
}
`;

function run(
  script: string,
  action: string,
  data: Readonly<Record<string, string>>,
  programs = PROGRAMS,
): string[] {
  const text = scriptText(script)
    .replaceAll("/etc/", `${folder}/etc/`)
    .replace(/(exclusively\n)?"\$1".*\n$/, (end) => programs + end);
  const input = shellAssignments(data) + text;
  const output = execFileSync("bash", ["-s", action], { input, encoding: "utf8" });
  return output.split("\n").filter((line) => line !== "");
}

beforeAll(() => {
  for (const name of ["haproxy", "keepalived"]) mkdirSync(path(name), { recursive: true });
  writeFileSync(path("hosts"), "127.0.0.1 localhost\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** A node whose name begins as those of others do. */
const node = { node_name: "node-1", node_address: "10.0.0.1" };
const named = `${PROGRAMS}hostname() { echo node-1; }\n`;

it("the script finds that the hosts file does not name the node any more, and nothing of other lines", () => {
  const check = () => run("prepare-node.sh", "check", node).filter((line) => line.includes("hosts"));
  const found = [`${path("hosts")} does not name node-1 at 10.0.0.1`];
  expect(check()).toEqual(found);
  run("prepare-node.sh", "name", node, named);
  expect(check()).toEqual([]);
  appendFileSync(path("hosts"), "10.0.0.9 by-hand\n");
  expect(check()).toEqual([]);
  for (const other of ["10.0.0.10 node-1", "10.0.0.1 node-17", "127.0.1.1 node-1"]) {
    writeFileSync(path("hosts"), `${other}\n`);
    expect(check()).toEqual(found);
  }
  run("prepare-node.sh", "name", node, named);
  expect(check()).toEqual([]);
});

it("the script writes its lines of the hosts file whole, and leaves all others as they are", () => {
  // the last line has no end
  const others = "10.10.0.1 a\n# of somebody\n10.10.0.12 node-1-1 # BEGIN";
  writeFileSync(path("hosts"), others);
  const both = { ...node, registry_names: "10.0.0.9 registry" };
  for (const node_address of ["10.0.0.7", "10.0.0.1"])
    for (const part of ["name", "name_registries"])
      run("prepare-node.sh", part, { ...both, node_address }, named);
  const end = "# END vnfm\n";
  const own = `# BEGIN vnfm: this node, written whole\n10.0.0.1 node-1\n${end}`;
  const registries = `# BEGIN vnfm: private registries, written whole\n10.0.0.9 registry\n${end}`;
  expect(readFileSync(path("hosts"), "utf8")).toBe(`${others}\n${own}${registries}`);

  for (const torn of [own.replace(end, "") + registries, own + registries.replace(end, "") + others]) {
    writeFileSync(path("hosts"), torn);
    const words = ["name", "name_registries"].map((part) => {
      try {
        return run("prepare-node.sh", part, both, named).join();
      } catch (error) {
        return String((error as { stderr: unknown }).stderr);
      }
    });
    expect(words.filter((text) => text.includes("its end, '# END vnfm', is missing"))).toHaveLength(1);
  }
  writeFileSync(path("hosts"), "127.0.0.1 localhost\n");
});

it("the script has a kernel that forwards take routes of routers, also where the preparation runs again", () => {
  const conf = join(folder, "conf");
  for (const [name, value] of Object.entries({ all: "0", eth0: "1", eth1: "2" })) {
    mkdirSync(join(conf, name), { recursive: true });
    writeFileSync(join(conf, name, "accept_ra"), `${value}\n`);
  }
  const text = scriptText("prepare-node.sh").replaceAll("/proc/sys/net/ipv6/conf", conf);
  const part = /^ipv6_forwarding\(\) \{\n.*?^\}\n/ms.exec(text)?.[0] ?? "";
  const lines = execFileSync("bash", ["-s"], { input: `${part}ipv6_forwarding`, encoding: "utf8" });
  expect(lines.split("\n").filter((line) => line.includes("accept_ra"))).toEqual([
    `${conf}/eth0/accept_ra = 2`,
    `${conf}/eth1/accept_ra = 2`,
  ]);
});

it("the script finds an edited configuration of a load balancer, and a service that was stopped", () => {
  const check = () => run("load-balancer.sh", "check", data);
  const data = {
    address: "10.0.0.5",
    haproxy_config: "global\n",
    keepalived_config: "interface @INTERFACE@\n10.0.0.9/@PREFIX@\n",
  };
  run("load-balancer.sh", "create", data);
  expect(readFileSync(path("keepalived/keepalived.conf"), "utf8")).toBe("interface eth1\n10.0.0.9/20\n\n");
  expect(check()).toEqual([]);
  appendFileSync(path("haproxy/haproxy.cfg"), "# by hand\n");
  rmSync(path("keepalived/keepalived.conf"));
  rmSync(join(folder, "keepalived"));
  expect(check()).toEqual([
    `${path("haproxy/haproxy.cfg")} differs from the desired state`,
    `${path("keepalived/keepalived.conf")} differs from the desired state`,
    "keepalived does not run",
  ]);
  run("load-balancer.sh", "create", data);
  expect(check()).toEqual([]);
});

it("the script keeps adverts going to a load balancer that leaves, until the declared ones change again", () => {
  const configOf = (...addresses: string[]) => ({
    address: "10.0.0.5",
    haproxy_config: "global\n",
    keepalived_config: renderKeepalivedConfig({
      virtualRouterId: 77,
      password: "01234567",
      virtualIp: "10.0.0.9",
      address: "10.0.0.5",
      addresses: ["10.0.0.5", ...addresses],
    }),
  });
  const peersWith = (...addresses: string[]) => {
    run("load-balancer.sh", "create", configOf(...addresses));
    expect(run("load-balancer.sh", "check", configOf(...addresses))).toEqual([]);
    const text = readFileSync(path("keepalived/keepalived.conf"), "utf8");
    const [, peers = ""] = /unicast_peer \{\n([^}]*)\n    \}/.exec(text) ?? [];
    return peers.split("\n").map((line) => line.trim());
  };
  rmSync(path("keepalived/keepalived.conf"));
  expect(peersWith("10.0.0.12", "10.0.0.120")).toEqual(["10.0.0.12", "10.0.0.120"]);
  expect(peersWith("10.0.0.12")).toEqual(["10.0.0.12", "10.0.0.120 # leaves"]);
  expect(peersWith("10.0.0.12")).toEqual(["10.0.0.12", "10.0.0.120 # leaves"]);
  expect(peersWith("10.0.0.1")).toEqual(["10.0.0.1", "10.0.0.12 # leaves"]);
  expect(peersWith("10.0.0.1", "10.0.0.12")).toEqual(["10.0.0.1", "10.0.0.12"]);
});

describe("labels and taints of a Node", () => {
  const [node, labels, labelled, tainted] = ["node", "labels", "labelled", "tainted"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const kubectl = `kubectl() {
    case "$*" in
      "patch node a "*" --type=merge -p "*) printf %s "\${*: -1}" >"${labelled}" ;;
      "taint node a --overwrite "*) shift 4; printf '%s\\n' "$@" >"${tainted}" ;;
      "get nodes -l "*" --field-selector metadata.name=a -o name") ! grep -Fxq -e "$4" "${labels}" || echo node/a ;;
      "get node a "*) [ ! -e "${node}" ] || cat "${node}" ;;
    esac
  }\n`;
  const data = { node_name: "a", node_zone: "", node_labels: "", node_taints: "", kubeadm_config: "" };
  const check = (changes: object) => run("node-labels.sh", "check", { ...data, ...changes }, kubectl);
  /** What the API is told: the labels and annotations, and the taints. */
  const create = (changes: object) => {
    rmSync(tainted, { force: true });
    run("node-labels.sh", "create", { ...data, ...changes }, kubectl);
    const { metadata } = JSON.parse(readFileSync(labelled, "utf8")) as { metadata: object };
    const taints = existsSync(tainted) ? readFileSync(tainted, "utf8").split("\n").slice(0, -1) : [];
    return { ...metadata, taints };
  };
  /** @param ofHere the labels and the taints that an earlier run has set */
  const nodeWith = (ofHere: readonly [string, string], ...taints: readonly string[]) =>
    writeFileSync(node, ["a", ...ofHere, ...taints, ""].join("\n"));

  beforeEach(() => {
    rmSync(node, { force: true });
    writeFileSync(labels, "");
  });

  it("are what the zone of its server and its pool say", () => {
    nodeWith(["", ""], "others=x:NoExecute");
    const pool = { node_labels: "example.com/gpu=a100,empty=", node_taints: "example.com/gpu=:NoSchedule" };
    expect(create({ node_zone: "rack-1", ...pool })).toEqual({
      labels: { "topology.kubernetes.io/zone": "rack-1", "example.com/gpu": "a100", empty: "" },
      annotations: {
        "vnfm/labels": "topology.kubernetes.io/zone example.com/gpu empty",
        "vnfm/taints": "example.com/gpu:NoSchedule",
      },
      taints: ["example.com/gpu=:NoSchedule"],
    });
  });

  it("are left to others where neither says something", () => {
    nodeWith(["", ""], "others=x:NoExecute");
    const none = { "vnfm/labels": null, "vnfm/taints": null };
    expect(create({})).toEqual({ labels: {}, annotations: none, taints: [] });
  });

  it("go where an earlier run has set them, and the pool has them no more", () => {
    const taints = ["a=1:NoSchedule", "b=:NoExecute", "a=x:NoExecute"];
    nodeWith(["pool example.com/old", "a:NoSchedule b:NoExecute gone:NoExecute"], ...taints);
    expect(create({ node_labels: "pool=gpu", node_taints: "a=2:NoSchedule" })).toEqual({
      labels: { pool: "gpu", "example.com/old": null },
      // what goes is remembered until a later run finds it gone
      annotations: { "vnfm/labels": "pool", "vnfm/taints": "a:NoSchedule b:NoExecute" },
      taints: ["a=2:NoSchedule", "b:NoExecute-"],
    });
  });

  it("are no others that a kubelet has written to the annotations of its Node", () => {
    const forged = ['old":null,"node-role.kubernetes.io/control-plane":"","x', "*", "$(id)", "-l", "pool"];
    nodeWith([forged.join(" "), `${forged.join(" ")} b:NoExecute`], "b=:NoExecute");
    expect(create({})).toEqual({
      labels: { pool: null },
      annotations: { "vnfm/labels": null, "vnfm/taints": "b:NoExecute" },
      taints: ["b:NoExecute-"],
    });
  });

  it("are found missing, but not of a Node that is, which its membership tells", () => {
    const declared = {
      node_zone: "rack-1",
      node_labels: "pool=gpu",
      node_taints: "a=1:NoSchedule,b=:NoExecute",
    };
    expect(check(declared)).toEqual([]);
    nodeWith(["", ""], "a=2:NoSchedule", "b=:NoExecute");
    writeFileSync(labels, "topology.kubernetes.io/zone=rack-2\npool=gpu\n");
    expect(check(declared)).toEqual([
      "Node a has no label topology.kubernetes.io/zone=rack-1",
      "Node a has no taint a=1:NoSchedule",
    ]);
  });
});

it("the script gives a Node its block of addresses for pods once, and finds one that has another", () => {
  const [node, told] = [join(folder, "block"), join(folder, "patched")];
  const kubectl = `kubectl() {
    case "$*" in
      patch*) printf 10.244.0.0/24 >"${node}"; echo "\${*: -1}" >>"${told}" ;;
      *ignore-not-found*) [ ! -e "${node}" ] || printf 'a %s' "$(cat "${node}")" ;;
      get*) cat "${node}" ;;
    esac
  }\n`;
  const data = { node_name: "a", pod_cidr: "10.244.0.0/24" };
  const check = () => run("node-pod-cidr.sh", "check", data, kubectl);
  expect(check()).toEqual([]);
  writeFileSync(node, "");
  const leads = "but its route is for 10.244.0.0/24";
  expect(check()).toEqual([`Node a has the pod CIDR '', ${leads}`]);
  run("node-pod-cidr.sh", "create", data, kubectl);
  run("node-pod-cidr.sh", "create", data, kubectl);
  expect(readFileSync(told, "utf8")).toBe(
    '{"spec":{"podCIDR":"10.244.0.0/24","podCIDRs":["10.244.0.0/24"]}}\n',
  );
  expect(check()).toEqual([]);
  writeFileSync(node, "10.244.9.0/24");
  expect(check()).toEqual([`Node a has the pod CIDR '10.244.9.0/24', ${leads}`]);
  expect(() => run("node-pod-cidr.sh", "create", data, kubectl)).toThrow(/heal that node/);
});

it("the script finds a sole master's Node that is not as kubeadm made it, and makes it so", () => {
  const [node, role, told] = ["node", "role", "told"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const programs = `
    node() { cat "${node}" 2>/dev/null || true; }
    kubectl() {
      case "$*" in
        "get nodes -l "*) [ ! -e "${role}" ] || echo node/a ;;
        *ignore-not-found*) [ -z "$(node)" ] || echo 'a ' ;;
        *jsonpath*) [ "$(node)" != Ready ] || echo True ;;
        "get node a "*) [ -n "$(node)" ] ;;
      esac
    }
    systemctl() {
      echo "$*" >>"${told}"
      [ "$1 $(node)" = "start " ] || echo Ready >"${node}"
    }
    fill_in() { cat; }
    kubeadm() { [ "$1" = version ] || { cat >"${role}"; echo "$*" >>"${told}"; }; }
  `;
  const data = { node_name: "a", node_zone: "", node_labels: "", node_taints: "", kubeadm_config: "config" };
  const check = () => run("node-labels.sh", "check", data, programs);
  const mend = () => {
    writeFileSync(told, "");
    run("node-labels.sh", "create", data, programs);
    return readFileSync(told, "utf8").split("\n").slice(0, -1);
  };
  const mark = "init phase mark-control-plane --config /dev/stdin";
  rmSync(node, { force: true });
  expect(check()).toEqual(["Node a is missing"]);
  expect(mend()).toEqual(["start kubelet", "restart kubelet", mark]);
  expect(check()).toEqual([]);
  writeFileSync(node, "NotReady");
  rmSync(role);
  expect(check()).toEqual([
    "Node a is not Ready",
    "Node a has no label node-role.kubernetes.io/control-plane",
  ]);
  expect(mend()).toEqual(["start kubelet", mark]);
  expect(mend()).toEqual(["start kubelet"]);
  expect(check()).toEqual([]);
});

it("the script finds objects of the CNI that are not as in its manifest", () => {
  const answer = (status: number, ...lines: string[]) =>
    `kubectl() { cat >"${folder}/manifest"; printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")}; return ${status}; }\n`;
  const check = (kubectl: string) => run("install-cni.sh", "check", { cni_manifest: "kind: x" }, kubectl);
  const differs = [
    "diff -u -N /tmp/LIVE-1/apps.v1.DaemonSet.kube-flannel.kube-flannel-ds /tmp/MERGED-2/apps.v1.DaemonSet.kube-flannel.kube-flannel-ds",
    "--- /tmp/LIVE-1/apps.v1.DaemonSet.kube-flannel.kube-flannel-ds",
    "+++ /tmp/MERGED-2/apps.v1.DaemonSet.kube-flannel.kube-flannel-ds",
    "-  generation: 2",
  ];
  expect(check(answer(0))).toEqual([]);
  expect(readFileSync(join(folder, "manifest"), "utf8")).toBe("kind: x\n");
  expect(check(answer(1, ...differs))).toEqual([
    "apps.v1.DaemonSet.kube-flannel.kube-flannel-ds is not as in the manifest of the CNI",
  ]);
  expect(() => check(answer(2))).toThrow("Command failed");
});

it("the script finds a master that is not in etcd, or does not answer there, though its Node is Ready", () => {
  const kubectl = (health: string, members: readonly string[]) => `kubectl() {
    case "$*" in
      "get node a "*) echo "a True" ;;
      "get nodes "*) printf 'node/%s\\n' a a1 ;;
      *"member list"*) printf '%s\\n' ${members.map((line) => `'${line}'`).join(" ")} ;;
      *"health --cluster"*) echo "https://10.0.0.5:2379 is ${health}: took 2ms" >&2; [ ${health} = healthy ] ;;
    esac
  }
  timeout() { shift 3; "$@"; }
  sleep() { SECONDS=$((SECONDS + 5)); }\n`;
  const member = (name: string, status: string, isLearner: boolean) =>
    `8e9e05c52164694d, ${status}, ${name}, https://10.0.0.5:2380, https://10.0.0.5:2379, ${isLearner}`;
  const data = { node_name: "a", node_address: "10.0.0.5", node_role: "master" };
  const check = (...members: string[]) => run("membership.sh", "check", data, kubectl("healthy", members));
  const other = member("a1", "started", false);
  const voter = member("a", "started", false);
  expect(check(voter, other)).toEqual([]);
  const found = ["a is not a member of etcd that has a vote"];
  expect(check(other)).toEqual(found);
  expect(check(member("a", "started", true), other)).toEqual(found);
  expect(check(member("a", "unstarted", false), other)).toEqual(found);
  const finds = (health: string) => run("membership.sh", "check", data, kubectl(health, [voter, other]));
  expect(finds("unhealthy")).toEqual(["etcd of a does not answer"]);
  // no word of it is no word against it
  expect(() => finds("unknown")).toThrow("whether etcd of a answers is not known");
});

it("the script says what etcd has of a master", () => {
  const member = (name: string) => `8e9e05c52164694d, started, ${name}, https://10.0.0.5:2380, x, false`;
  const vote = (health: string, name: string) =>
    run(
      "membership.sh",
      "vote",
      { node_name: "a", node_address: "10.0.0.5", node_role: "master" },
      `kubectl() {
      case "$*" in
        *"member list"*) echo '${member(name)}' ;;
        *"health --cluster"*) echo "https://10.0.0.5:2379 is ${health}: took 2ms" ;;
      esac
    }
    timeout() { shift 3; "$@"; }
    sleep() { SECONDS=$((SECONDS + 5)); }\n`,
    );
  expect(vote("healthy", "a")).toEqual(['{"vote": "well"}']);
  expect(vote("unhealthy", "a")).toEqual(['{"vote": "dead"}']);
  expect(vote("healthy", "b")).toEqual(['{"vote": "none"}']);
});
