/** Scripts where a program or the Kubernetes API fails, with programs that note what they are told. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { AT_ONCE, StandIns } from "./stand-ins";

const standIns = new StandIns();
const at = (path: string) => standIns.at(path);
const told = () => standIns.log().split("\n").filter(Boolean);

const run: StandIns["run"] = (...args) => standIns.run(...args);

// that of this machine has links
beforeEach(() => standIns.program("ip", `echo "ip $*" >>${at("told")}`));

const SOON = { "within 30": "within 0", "within 60": "within 0" };

/** Of join-node.sh. */
const JOIN = {
  node_name: "worker",
  node_address: "10.0.0.2",
  join_config: "",
  join_kubeconfig: "",
  cluster_config: "",
  certificate_key: "",
  admission: "abcdef.0123456789abcdef",
  kubelet_minors_behind: "3",
};

describe("a configuration that the first master's kubeadm does not take", () => {
  const init = {
    kubernetes_version: "v1.33.0",
    kubeadm_config: "a: @KUBERNETES_VERSION@ @PROVIDER_ID@",
    provider_id: "openstack:///b2c5",
    access_manifest: "",
    api_endpoint: "",
    encryption_config: "keys",
  };
  /** @param validate what becomes of `kubeadm config validate` */
  const create = (validate: string) => {
    standIns.program("hostname", "echo master");
    standIns.program("kubectl", "exit 0");
    standIns.program(
      "kubeadm",
      `case "$*" in
        version*) echo v1.33.0 ;;
        "certs certificate-key") echo key ;;
        "config validate --config "*) cat "$4" >>${at("told")}; ${validate} ;;
        *) echo "kubeadm $1" >>${at("told")} ;;
      esac`,
    );
    mkdirSync(at("etc/kubernetes"), { recursive: true });
    return run("init-master.sh", "create", init, { "/var/lib/etcd/member": at("member") });
  };

  it("begins no cluster, and is told in kubeadm's words", () => {
    expect(create("echo 'unknown field \"apiserver\"' >&2; exit 1")).toMatch(
      /^unknown field "apiserver"\nmaster: kubeadm v1.33.0 rejects its configuration, .* The cluster was not bootstrapped\n$/,
    );
    expect(told()).toEqual(["a: v1.33.0 openstack:///b2c5"]);
    expect(create("exit 0")).toBeUndefined();
    expect(told().at(-1)).toBe("kubeadm init");
    expect(readFileSync(at("etc/kubernetes/encryption.yaml"), "utf8")).toBe("keys\n");
  });
});

describe("a node whose kubelet does not come up", () => {
  /** @param journal the lines of the kubelet's journal */
  const join = (...journal: string[]) => {
    standIns.program("hostname", "echo worker");
    standIns.program("kubelet", "echo Kubernetes v1.33.0");
    standIns.program("kubectl", "printf '\nkubernetesVersion: v1.33.0\n'");
    standIns.program("kubeadm", "[ $1 = version ] && echo v1.33.0 || exit 1");
    standIns.program("journalctl", `printf '%s\\n' ${journal.map((line) => `'${line}'`).join(" ")}`);
    standIns.program(
      "crictl",
      `case "$*" in
        ps*) printf '%s\\n' 'CONTAINER IMAGE CREATED STATE NAME ATTEMPT POD ID POD' \\
          'c3 i 10 seconds ago Exited kube-apiserver 3 p x' 'c2 i 2 minutes ago Exited kube-apiserver 2 p x' \\
          'c1 i 3 minutes ago Exited etcd 1 q y' ;;
        *) echo "words of $*" >&2 ;;
      esac`,
    );
    mkdirSync(at("etc/kubernetes"), { recursive: true });
    return run("join-node.sh", "create", JOIN);
  };
  const crashed = [
    "the last container kube-apiserver ended with:",
    "words of logs --tail 10 c3",
    "the last container etcd ended with:",
    "words of logs --tail 10 c1",
  ];

  it("is told with the kubelet's errors, and the last lines of crashed containers", () => {
    const error = 'E1128 10:00:00.000 run.go:74] "command failed" err="no reserved CPUs"';
    expect(join("Started kubelet", error, "Main process exited")?.split("\n").slice(0, 6)).toEqual([
      `the kubelet's journal ends with: ${error}`,
      ...crashed,
      expect.stringMatching(/^worker: kubeadm join failed: see the lines above\. /),
    ]);
  });

  it("is told with the last lines of the journal where it has no errors", () => {
    expect(join("Started kubelet", "Main process exited")?.split("\n").slice(0, 2)).toEqual([
      "the kubelet's journal ends with: Started kubelet",
      "Main process exited",
    ]);
  });
});

describe("a node that does not reach the network", () => {
  /** @param reached what `bash -c` of the connection and `getent` find; `images` of containerd */
  const world = ({ api = true, dns = true, registry = true, images = false }) => {
    standIns.program("hostname", "echo worker");
    standIns.program("kubelet", "echo Kubernetes v1.33.0");
    standIns.program(
      "kubectl",
      `case "$*" in
        *"config view"*) echo https://10.0.0.9:6440 ;;
        *) ${api ? "printf '\nkubernetesVersion: v1.33.0\n'" : "exit 1"} ;;
      esac`,
    );
    standIns.program(
      "kubeadm",
      `case "$*" in
        version*) echo v1.33.0 ;;
        "config images list"*) printf '%s\n' registry.k8s.io/etcd:3 registry.k8s.io/pause:3.10 ;;
        "certs certificate-key") echo key ;;
        *) echo "kubeadm $*" >>${at("told")} ;;
      esac`,
    );
    standIns.program("crictl", `exit ${images ? 0 : 1}`);
    standIns.program("getent", `exit ${dns ? 0 : 2}`);
    standIns.program(
      "timeout",
      `case "$*" in *" 10.0.0.9 6440") exit ${api ? 0 : 1} ;; *" registry.k8s.io 443") exit ${registry ? 0 : 1} ;; esac`,
    );
    mkdirSync(at("etc/kubernetes"), { recursive: true });
  };
  const AT_LAST = { "within 300": "within 0", "within 10 ": "within 0 ", "within 30": "within 0" };
  const join = (reached: Parameters<typeof world>[0]) => {
    world(reached);
    return run("join-node.sh", "create", { ...JOIN, certificate_key: "k" }, AT_LAST);
  };

  it("says that the API takes no connection, and not that the token may be old", () => {
    expect(join({ api: false })).toMatch(
      /^worker: this node does not reach the Kubernetes API, TCP 10\.0\.0\.9:6440, and kubeadm was not started\. /,
    );
    expect(told()).toEqual([]);
  });

  it("says that DNS has no address of a registry whose images it lacks", () => {
    expect(join({ dns: false })).toMatch(
      /^worker: this node lacks images of registry\.k8s\.io, and cannot resolve its name, so kubeadm was not started\. /,
    );
    expect(told()).toEqual([]);
  });

  it("says that a registry takes no connection, before the cluster begins", () => {
    world({ registry: false });
    const init = { kubernetes_version: "v1.33.0", kubeadm_config: "", provider_id: "", access_manifest: "" };
    const others = { ...AT_LAST, "/var/lib/etcd/member": at("member") };
    const error = run(
      "init-master.sh",
      "create",
      { ...init, api_endpoint: "", encryption_config: "" },
      others,
    );
    expect(error).toMatch(
      /^worker: this node lacks images of registry\.k8s\.io, and does not reach it, TCP registry\.k8s\.io:443, so /,
    );
    expect(told().filter((line) => line.startsWith("kubeadm init"))).toEqual([]);
  });

  it("joins without registry and DNS where it has the images", () => {
    expect(join({ dns: false, registry: false, images: true })).toBeUndefined();
    expect(told().filter((line) => line.startsWith("kubeadm join"))).toHaveLength(1);
  });
});

describe("a join that was cut off", () => {
  it("begins again as a Node that is not Ready, whose name kubeadm takes", () => {
    standIns.program("systemctl", `echo "systemctl $*" >>${at("told")}`);
    standIns.program("kubelet", "echo Kubernetes v1.33.0");
    standIns.program("kubeadm", `[ "$1" = version ] && echo v1.33.0 || echo "kubeadm $1" >>${at("told")}`);
    standIns.program(
      "kubectl",
      `${standIns.once()}
      case "$*" in
        *configmap*) printf '\nkubernetesVersion: v1.33.0\n' ;;
        *"config view"*) echo https://10.0.0.9:6440 ;;
        *"get node"*) once get; echo node/worker ;;
        *patch*) echo "$*" >>${at("told")} ;;
      esac`,
    );
    mkdirSync(at("etc/kubernetes"), { recursive: true });
    writeFileSync(at("etc/kubernetes/kubelet.conf"), "");
    writeFileSync(at("vnfm-joining"), "");
    expect(run("join-node.sh", "create", JOIN)).toBeUndefined();
    expect(told()).toEqual([
      "systemctl stop kubelet",
      expect.stringMatching(
        / --server https:\/\/10.0.0.9:6440 .*patch node\/worker --subresource=status -p .*False/,
      ),
      "kubeadm reset",
      "ip link delete cni0",
      "kubeadm join",
    ]);
  });

  it("is reset by the next one, wherever kubeadm had got to, and a complete one is left alone", () => {
    const ofMaster = { ...JOIN, certificate_key: "k", admission: "abcdef.0123456789abcdef\nkeys of another" };
    mkdirSync(at("etc/kubernetes"), { recursive: true });
    const keys = at("etc/kubernetes/encryption.yaml");
    const kubeadm = (joins: boolean) =>
      standIns.program(
        "kubeadm",
        `case $1 in version) echo v1.33.0 ;; *) echo "kubeadm $1" >>${at("told")}; ${joins} || exit 1 ;; esac`,
      );
    standIns.program("systemctl", "exit 0");
    standIns.program("kubelet", "echo Kubernetes v1.33.0");
    standIns.program("kubectl", "printf '\nkubernetesVersion: v1.33.0\n'");
    kubeadm(false);
    expect(run("join-node.sh", "create", ofMaster)).toContain("kubeadm join failed");
    expect(readFileSync(keys, "utf8")).toBe("keys of another\n");
    writeFileSync(keys, "keys since");
    kubeadm(true);
    expect(run("join-node.sh", "create", ofMaster)).toBeUndefined();
    expect(run("join-node.sh", "create", ofMaster)).toBeUndefined();
    expect(told()).toEqual(["kubeadm join", "kubeadm reset", "ip link delete cni0", "kubeadm join"]);
    expect(readFileSync(keys, "utf8")).toBe("keys since");
  });
});

describe("a master's join that was cut off once etcd had the master", () => {
  /** @param leaves what etcd does when it is to go */
  const begunWith = (leaves: string) => {
    standIns.program("hostname", "echo worker");
    standIns.program("kubelet", "echo Kubernetes v1.33.0");
    standIns.program("systemctl", `echo "systemctl $*" >>${at("told")}`);
    standIns.program("kubeadm", `[ "$1" = version ] && echo v1.33.0 || echo "kubeadm $1" >>${at("told")}`);
    standIns.program(
      "kubectl",
      `case "$*" in
        *configmap*) printf '\nkubernetesVersion: v1.33.0\n' ;;
        *"get nodes"*) echo node/other ;;
        *"member list"*) printf '%s\n' \
          'a1, started, other, https://10.0.0.1:2380, https://10.0.0.1:2379, false' \
          'b2, unstarted, , https://10.0.0.2:2380, , true' ;;
        *"member remove"*) ${leaves}; echo "\${*: -3}" >>${at("told")} ;;
      esac`,
    );
    mkdirSync(at("etc/kubernetes/manifests"), { recursive: true });
    writeFileSync(at("etc/kubernetes/manifests/etcd.yaml"), "");
    writeFileSync(at("vnfm-joining"), "");
    return run("join-node.sh", "create", { ...JOIN, certificate_key: "k" }, AT_ONCE);
  };

  it("has it leave etcd before it is reset", () => {
    expect(begunWith("true")).toBeUndefined();
    expect(told()).toEqual([
      "member remove b2",
      "systemctl stop kubelet",
      "kubeadm reset",
      "ip link delete cni0",
      "kubeadm join",
    ]);
  });

  it("is not reset where etcd keeps it", () => {
    expect(begunWith("exit 1")).toContain("cannot be removed from etcd, to join again");
    expect(told()).toEqual([]);
  });
});

describe("a node that had joined", () => {
  /** The others, and this one, as etcd lists its members. */
  const OTHERS = "a1, started, other, https://10.0.0.1:2380, https://10.0.0.1:2379, false";
  const ITSELF = "b2, started, worker, https://10.0.0.2:2380, https://10.0.0.2:2379, false";

  /**
   * @param node what the cluster says of the Node
   * @param etcd what the node's etcd says of itself; its members, and what becomes of one that is to go
   */
  const joinedBefore = (node: string, { health = "exit 1", members = "exit 1", removal = "true" } = {}) => {
    standIns.program("systemctl", "exit 0");
    standIns.program("hostname", "echo worker");
    standIns.program("kubelet", "echo Kubernetes v1.33.0");
    standIns.program("kubeadm", `[ "$1" = version ] && echo v1.33.0 || echo "kubeadm $1" >>${at("told")}`);
    standIns.program(
      "kubectl",
      `case "$*" in
        *configmap*) printf '\nkubernetesVersion: v1.33.0\n' ;;
        *"config view"*) echo https://10.0.0.9:6440 ;;
        *"get nodes"*) echo node/other ;;
        *"get node"*) echo "get" >>${at("told")}; ${node} ;;
        "--server http://localhost:2381"*"get --raw /health") ${health} ;;
        *"member list"*) ${members} ;;
        *"member remove"*) ${removal}; echo "\${*: -3}" >>${at("told")} ;;
      esac`,
    );
    mkdirSync(at("etc/kubernetes/manifests"), { recursive: true });
    writeFileSync(at("etc/kubernetes/kubelet.conf"), "");
    writeFileSync(at("etc/kubernetes/manifests/etcd.yaml"), "");
    writeFileSync(at("vnfm-complete"), "\n");
  };

  const create = (data: object) => run("join-node.sh", "create", { ...JOIN, ...data }, SOON);
  const master = { certificate_key: "k" };
  const done = () => told().filter((line) => line !== "get");
  const isComplete = () => [existsSync(at("vnfm-complete")), existsSync(at("vnfm-joining"))];
  const AGAIN = ["kubeadm reset", "ip link delete cni0", "kubeadm join"];

  it.each([
    ["its Node no longer exists", "true", {}, AGAIN],
    ["it has left etcd", "echo node/worker", master, AGAIN],
    [
      "a master's Node no longer exists, once it has left etcd too",
      "true",
      master,
      ["member remove b2", ...AGAIN],
    ],
  ])("joins again where %s", (_, node, data, expected) => {
    const members = expected.length > AGAIN.length ? [OTHERS, ITSELF] : [OTHERS];
    joinedBefore(node, { members: `printf '%s\n' ${members.map((one) => `'${one}'`).join(" ")}` });
    expect(create(data)).toBeUndefined();
    expect(done()).toEqual(expected);
    expect(isComplete()).toEqual([true, false]);
  });

  it("joins again without what its CNI has made since, and with what was there before", () => {
    joinedBefore("true");
    const [conf, kubelet] = [at("etc/cni/net.d"), at("var-lib-kubelet")];
    for (const folder of [conf, kubelet]) mkdirSync(folder, { recursive: true });
    [`${conf}/99-loopback.conf`, `${kubelet}/config.yaml`, `${conf}/10-flannel.conflist`].forEach(
      (file, i) => {
        writeFileSync(file, "");
        utimesSync(file, i, i);
      },
    );
    expect(run("join-node.sh", "create", JOIN, { ...SOON, "/var/lib/kubelet": kubelet })).toBeUndefined();
    expect(readdirSync(conf)).toEqual(["99-loopback.conf"]);
  });

  it.each([
    ["worker", {}],
    ["master", master],
  ])("is left alone where its Node is there, and the etcd of a master: %s", (_, data) => {
    joinedBefore("echo node/worker", { health: "echo '{}'" });
    expect(create(data)).toBeUndefined();
    expect(told()).toEqual(["get"]);
  });

  it("is left alone where its etcd is ill, and has it as a member still", () => {
    joinedBefore("echo node/worker", { members: `printf '%s\n' '${OTHERS}' '${ITSELF}'` });
    expect(create(master)).toBeUndefined();
    expect([done(), isComplete()]).toEqual([[], [true, false]]);
  });

  it("is left alone, and told, where its etcd is ill and its members cannot be read", () => {
    joinedBefore("echo node/worker");
    expect(create(master)).toContain("whether it is a member cannot be read");
    expect([done(), isComplete()]).toEqual([[], [true, false]]);
  });

  it("is left alone where its etcd is elsewhere", () => {
    joinedBefore("echo node/worker");
    rmSync(at("etc/kubernetes/manifests/etcd.yaml"));
    expect(create(master)).toBeUndefined();
    expect([done(), isComplete()]).toEqual([[], [true, false]]);
  });

  it("stays a master where its Node is gone, and etcd needs it", () => {
    joinedBefore("true", { members: `printf '%s\n' '${OTHERS}' '${ITSELF}'`, removal: "exit 1" });
    expect(create(master)).toContain("cannot be removed from etcd");
    expect([done(), isComplete()]).toEqual([[], [true, false]]);
  });

  it("is left alone, and told, where the cluster does not say", () => {
    joinedBefore("exit 1");
    expect(create({})).toContain("whether there is a Node worker cannot be read");
    expect(existsSync(at("vnfm-complete"))).toBe(true);
  });

  it("is not asked for where its data alone have changed", () => {
    joinedBefore("true");
    expect(run("join-node.sh", "update", JOIN)).toBeUndefined();
    expect(told()).toEqual([]);
  });

  it.each([
    ["create", true],
    ["update", false],
  ])("takes pods again after %s: %s", (action, expected) => {
    standIns.program("kubectl", `echo "$1" >>${at("told")}; echo True`);
    expect(run("node-ready.sh", action, { node_name: "worker" })).toBeUndefined();
    expect(told().includes("uncordon")).toBe(expected);
  });
});

describe("a first master that is new", () => {
  const data = {
    kubernetes_version: "",
    kubeadm_config: "config",
    access_manifest: "",
    api_endpoint: "10.0.0.9:6440",
    encryption_config: "",
  };
  const api = (answers: boolean) => {
    standIns.program("kubectl", answers ? "exit 0" : "exit 1");
    standIns.program("kubeadm", `echo "$1" >>${at("told")}`);
  };

  it("begins no second cluster", () => {
    api(false);
    expect(run("init-master.sh", "update", data)).toBeUndefined();
    expect([told(), existsSync(at("vnfm-complete"))]).toEqual([[], false]);
  });

  it("begins none where one runs that the state does not know", () => {
    api(true);
    expect(run("init-master.sh", "create", data)).toContain("the state of this stack does not contain it");
    expect(told()).toEqual([]);
  });

  it("does not join a cluster of other settings", () => {
    standIns.program("kubeadm", `echo "$1" >>${at("told")}`);
    writeFileSync(at("vnfm-complete"), "other\n");
    const token = { node_name: "a", certificate_key: "key", cluster_config: "config" };
    expect(run("admit-node.sh", "create", token)).toContain(
      "cannot change on an existing cluster: set them back",
    );
    expect(told()).toEqual([]);
  });
});

describe("the version of a cluster", () => {
  it("is not written where kubeadm's configuration was not read", () => {
    standIns.program("kubectl", `case $* in *get*) ;; *) echo "$*" >>${at("told")} ;; esac`);
    const data = { step: "declare", kubernetes_version: "v1.34.4", sole_master: "" };
    expect(run("kubernetes-version.sh", "create", data)).toContain("has no kubernetesVersion");
    expect(told()).toEqual([]);
  });
});
