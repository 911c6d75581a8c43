/** A master, or a load balancer, that is to go hands over what it serves; and serves again where it is to stay. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const at = (path: string) => standIns.at(path);
const told = () => standIns.log().split("\n").filter(Boolean);

const MANIFEST = "etc/kubernetes/manifests/kube-apiserver.yaml";
const SET_ASIDE = "vnfm-set-aside-kube-apiserver.yaml";
const PORT = "/dev/tcp/127.0.0.1/6443";

/** The snapshot of etcd that may be in progress, which is ended first. */
const SNAPSHOT = "vnfm-control-plane-snapshot.service";

/** @param text what a systemctl does that is asked for anything else than the end of a snapshot */
const systemctl = (text: string) =>
  standIns.program(
    "systemctl",
    `[ "$2" != ${SNAPSHOT} ] || { : >${at("snapshot-ended")}; exit 0; }; ${text}`,
  );

/** A port of this machine that takes no connections. */
let closed: string;

beforeEach(async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closed = `/dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port}`;
  await new Promise((done) => server.close(done));
  systemctl(`echo "$*" >>${at("told")}; [ -e ${at(MANIFEST)} ] && echo served >>${at("told")}; true`);
  mkdirSync(at("etc/kubernetes/manifests"), { recursive: true });
});

const withKeepalived = () => standIns.program("keepalived", "exit 0");
const isServing = () => [existsSync(at(MANIFEST)), existsSync(at(SET_ASIDE))];
const handOver = (others: Readonly<Record<string, string>> = { [PORT]: closed }) =>
  standIns.run("hand-over.sh", "delete", {}, others);

describe("a master that is to go", () => {
  beforeEach(() => writeFileSync(at(MANIFEST), "apiserver"));

  it("gives the virtual IP away while its kube-apiserver still answers, and ends that then", () => {
    withKeepalived();
    expect(handOver()).toBeUndefined();
    expect(told()).toEqual(["stop keepalived", "served"]);
    expect(isServing()).toEqual([false, true]);
    expect(readFileSync(at(SET_ASIDE), "utf8")).toBe("apiserver");
    expect(existsSync(at("snapshot-ended"))).toBe(true);
  });

  it("ends its kube-apiserver alone where the load balancers are elsewhere", () => {
    expect(handOver()).toBeUndefined();
    expect(told()).toEqual([]);
    expect(isServing()).toEqual([false, true]);
  });

  it("hands over once more after a run that was cut off, wherever that was", () => {
    withKeepalived();
    systemctl(`echo "$*" >>${at("told")}; exit 1`);
    expect(handOver()).toBeDefined();
    expect(isServing()).toEqual([true, true]);
    systemctl(`echo "$*" >>${at("told")}`);
    expect(handOver()).toBeUndefined();
    expect(handOver()).toBeUndefined();
    expect(told()).toEqual(Array(3).fill("stop keepalived"));
    expect(isServing()).toEqual([false, true]);
    expect(readFileSync(at(SET_ASIDE), "utf8")).toBe("apiserver");
  });

  it("waits until its kube-apiserver takes no connections, and says so where that does not end", () => {
    const answers = `${standIns.at("asked")}-port`;
    // takes the first connection, and refuses the next
    const others = { [`(: <${PORT})`]: `(rm ${answers})` };
    writeFileSync(answers, "");
    expect(handOver({ ...others, "within 60": "within 0" })).toContain("kube-apiserver did not stop in 60 s");
    writeFileSync(answers, "");
    expect(handOver(others)).toBeUndefined();
  });
});

it("a load balancer that is to go gives the virtual IP away, and has no kube-apiserver to end", () => {
  withKeepalived();
  expect(handOver()).toBeUndefined();
  expect(told()).toEqual(["stop keepalived"]);
  expect(readdirSync(at("etc/kubernetes/manifests"))).toEqual([]);
});

describe("a master that has handed over, and is to stay", () => {
  const JOIN = {
    ...{
      node_name: "master",
      node_address: "10.0.0.2",
      join_config: "",
      join_kubeconfig: "",
      cluster_config: "",
    },
    ...{ certificate_key: "k", admission: "abcdef.0123456789abcdef", kubelet_minors_behind: "3" },
  };
  const MEMBER = "b2, started, master, https://10.0.0.2:2380, https://10.0.0.2:2379, false";
  const join = () =>
    standIns.run("join-node.sh", "create", JOIN, { "within 30": "within 0", "within 60": "within 0" });

  /** @param isMember whether etcd has it still @param kubeadm what `kubeadm join` does */
  function handedOver(isMember: boolean, kubeadm = `echo anew >${at(MANIFEST)}`): void {
    withKeepalived();
    writeFileSync(at(MANIFEST), "apiserver");
    expect(handOver()).toBeUndefined();
    for (const file of ["etc/kubernetes/kubelet.conf", "etc/kubernetes/manifests/etcd.yaml", "vnfm-complete"])
      writeFileSync(at(file), "");
    rmSync(at("told"));
    standIns.program("hostname", "echo master");
    standIns.program("kubelet", "echo Kubernetes v1.33.0");
    standIns.program("ip", "exit 0");
    standIns.program("kubeadm", `case $1 in version) echo v1.33.0 ;; join) ${kubeadm} ;; esac`);
    standIns.program(
      "kubectl",
      `case "$*" in
        *configmap*) printf '\\nkubernetesVersion: v1.33.0\\n' ;;
        *"config view"*) echo https://10.0.0.9:6440 ;;
        *"get nodes"*) echo node/other ;;
        *"get node"*) echo node/master ;;
        "--server http://localhost:2381"*) ${isMember} ;;
        *"member list"*) ${isMember} && echo '${MEMBER}'; true ;;
      esac`,
    );
  }

  it("serves again as it was where it has not left etcd", () => {
    handedOver(true);
    expect(join()).toBeUndefined();
    expect(told()).toEqual(["start keepalived"]);
    expect(isServing()).toEqual([true, false]);
    expect(readFileSync(at(MANIFEST), "utf8")).toBe("apiserver");
    expect(join()).toBeUndefined();
    expect(told()).toEqual(["start keepalived"]);
  });

  it("serves again once it has joined again, with what kubeadm has made", () => {
    handedOver(false);
    expect(join()).toBeUndefined();
    expect(told()).toEqual(["stop kubelet", "start keepalived", "served"]);
    expect(isServing()).toEqual([true, false]);
    expect(readFileSync(at(MANIFEST), "utf8")).toBe("anew\n");
  });

  it("does not serve where its join fails, and does by the next one", () => {
    handedOver(false, "exit 1");
    expect(join()).toContain("kubeadm join failed");
    expect(isServing()).toEqual([false, true]);
    standIns.program(
      "kubeadm",
      `case $1 in version) echo v1.33.0 ;; join) echo anew >${at(MANIFEST)} ;; esac`,
    );
    expect(join()).toBeUndefined();
    expect(isServing()).toEqual([true, false]);
    expect(told()).toContain("start keepalived");
  });
});
