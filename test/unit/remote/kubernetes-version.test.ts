/** The scripts that keep to Kubernetes' version skew policy, with programs that answer as a cluster would. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import {
  KUBELET_MINORS_BEHIND,
  MINORS_AT_A_TIME,
  OLDEST_UPGRADE_MINOR,
} from "../../../components/kube/cluster/version-skew";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";
import { StandIns } from "./stand-ins";

interface World {
  /** kube-apiserver of each master. */
  readonly masters: readonly string[];
  readonly worker: string;
  /** In kubeadm's ConfigMap. */
  readonly declared: string;
  readonly annotation?: string;
  /** What the API of a sole master says of itself. */
  readonly serving?: string;
  /** kubeadm and kubelet of the node itself. */
  readonly own?: string;
}

const WORLD: World = { masters: ["v1.33.0", "v1.33.0", "v1.33.0"], worker: "v1.33.0", declared: "v1.33.0" };

/** The numbers of the policy, as the program gives them. */
const LIMITS = {
  oldest_upgrade_minor: String(OLDEST_UPGRADE_MINOR),
  minors_at_a_time: String(MINORS_AT_A_TIME),
  kubelet_minors_behind: String(KUBELET_MINORS_BEHIND),
};

const standIns = new StandIns();

/** @returns what the programs were told, or what the script said if it failed */
function run(script: string, data: Record<string, string>, world: Partial<World>): string[] | string {
  const { folder } = standIns;
  const { masters, worker, declared, annotation = "", own = "v1.33.0", serving } = { ...WORLD, ...world };
  const pods = masters.map((version, i) => `uid-${i} registry:5000/kube-apiserver:${version}\\n`);
  standIns.program(
    "kubectl",
    `case "$*" in
      *"get --raw /version"*) printf '{\n  "gitVersion": "${serving}",\n}\n' ;;
      *"get nodes -l"*) printf '${masters.map((_, i) => `uid-${i}\\n`).join("")}' ;;
      *"get pods"*) printf 'of-a-node-that-is-gone kube-apiserver:v1.20.0\\n${pods.join("")}' ;;
      *"get nodes"*) printf 'worker ${worker}\\n' ;;
      *annotations*ClusterConfiguration*) printf '${annotation}\\nkubernetesVersion: ${declared}\\n' ;;
      *annotations*) printf '${annotation}' ;;
      *ClusterConfiguration}*) printf 'a: b\\nkubernetesVersion: ${declared}\\n' ;;
      *"create configmap"*) cat ;;
      *"apply "*) tr '\\n' ' ' >>${folder}/told ;;
      *) echo "$*" >>${folder}/told ;;
    esac`,
  );
  standIns.program("kubelet", `echo Kubernetes ${own}`);
  standIns.program("kubeadm", `[ "$1" = version ] && echo ${own} || echo "kubeadm $*" >>${folder}/told`);
  const input = `${shellAssignments(data)}${scriptText(script)}`
    .replace("PATH=/", `PATH=${folder}:/`)
    .replaceAll(/\/(run|etc\/kubernetes|var\/lib)\/vnfm/g, `${folder}/vnfm`);
  const { status, stderr } = spawnSync("bash", ["-s", "create"], { input, encoding: "utf8" });
  if (status !== 0) return stderr;
  return standIns.log().split("\n").filter(Boolean);
}

const takeStep = (step: "declare" | "conclude", kubernetes_version: string, world: Partial<World>) => {
  const sole_master = world.serving === undefined ? "" : "yes";
  return run("kubernetes-version.sh", { step, kubernetes_version, sole_master, ...LIMITS }, world);
};

describe("a new kubernetes_version", () => {
  const declare = (version: string, world: Partial<World> = {}) => takeStep("declare", version, world);

  it("changes nothing where it is the cluster's", () => {
    expect(declare("v1.33.0")).toEqual([]);
  });

  it("is written down for kubeadm, and how far workers may go until the masters are new", () => {
    expect(declare("v1.34.4")).toEqual([
      "-n kube-system annotate --overwrite configmap kubeadm-config vnfm/kube-apiserver=v1.33.0",
      "a: b kubernetesVersion: v1.34.4 ",
    ]);
  });

  it("may be taken back while no master is of it", () => {
    expect(declare("v1.33.0", { declared: "v1.34.4" })).toContain("a: b kubernetesVersion: v1.33.0 ");
  });

  it("is refused where kubeadm cannot upgrade to it", () => {
    expect(declare("v1.31.9", { declared: "v1.31.0", masters: ["v1.31.0"], worker: "v1.31.0" })).toContain(
      "kubernetes_version is v1.31.9: upgrades are to v1.32 and newer",
    );
  });

  it.each([
    ["v1.35.0", {}, "upgraded by one minor version at a time. Set it to v1.34"],
    ["v1.35.0", { declared: "v1.34.4", masters: ["v1.34.4", "v1.33.0"] }, "a control-plane node has v1.33.0"],
    ["v1.33.0", { declared: "v1.34.4", masters: ["v1.34.4", "v1.33.0"] }, "Kubernetes has no downgrade"],
    [
      "v1.34.4",
      { worker: "v1.30.9" },
      "more than three minor versions older: worker (v1.30.9). Replace them",
    ],
  ])("%s is refused for %j", (version, world, message) => {
    expect(declare(version, world)).toContain(message);
  });

  // a sole master may have gone up in the same run, and the addons have not yet
  it.each(["v1.33.0", "v1.34.4"])("is written down where a sole master's API is of %s", (serving) => {
    expect(declare("v1.34.4", { serving, masters: [] })).toEqual([
      "-n kube-system annotate --overwrite configmap kubeadm-config vnfm/kube-apiserver=v1.33.0",
      "a: b kubernetesVersion: v1.34.4 ",
    ]);
  });

  it("is refused where a sole master's API is too old for it", () => {
    expect(declare("v1.34.4", { serving: "v1.32.0", masters: [] })).toContain(
      "a control-plane node has v1.32.0",
    );
  });
});

describe("the addons", () => {
  const conclude = (world: Partial<World>) => takeStep("conclude", "v1.34.4", world);

  it("are left alone in a cluster that never had another version", () => {
    expect(conclude({})).toEqual([]);
  });

  it("wait for the last master", () => {
    expect(conclude({ annotation: "v1.33.0", masters: ["v1.34.4", "v1.34.4", "v1.33.0"] })).toEqual([]);
  });

  it("are upgraded once every master is new, and workers may be new from then on", () => {
    expect(conclude({ annotation: "v1.33.0", masters: ["v1.34.4", "v1.34.4", "v1.34.4"] })).toEqual([
      "kubeadm upgrade apply phase upload-config all v1.34.4",
      "kubeadm upgrade apply phase bootstrap-token v1.34.4",
      "kubeadm upgrade apply phase addon all v1.34.4",
      "-n kube-system annotate --overwrite configmap kubeadm-config vnfm/kube-apiserver=v1.34.4",
    ]);
  });
});

describe("a node that joins", () => {
  const join_ = (role: "master" | "worker", world: Partial<World>) =>
    run(
      "join-node.sh",
      {
        node_name: "worker",
        join_config: "",
        join_kubeconfig: "",
        cluster_config: "",
        certificate_key: role === "master" ? "key" : "",
        admission: "abcdef.0123456789abcdef",
        kubelet_minors_behind: LIMITS.kubelet_minors_behind,
      },
      world,
    );

  it.each([
    ["master", { own: "v1.34.2", declared: "v1.34.4" }],
    ["worker", { own: "v1.33.0", declared: "v1.34.4", annotation: "v1.33.0" }],
    ["worker", { own: "v1.34.4", declared: "v1.34.4", annotation: "v1.34.4" }],
    ["worker", { own: "v1.31.0", declared: "v1.34.4" }],
  ] as const)("joins as %s: %j", (role, world) => {
    expect(join_(role, world)).toEqual([expect.stringMatching(/^kubeadm join --config /)]);
  });

  it.each([
    [
      "master",
      { own: "v1.34.4", declared: "v1.33.0" },
      "this control-plane node has kubeadm v1.34.4, and the cluster's",
    ],
    [
      "master",
      { own: "v1.33.0", declared: "v1.34.4" },
      "or an apt_repository, of v1.34 and set a new trigger value",
    ],
    ["worker", { own: "v1.34.4", declared: "v1.33.0" }, "no kubelet may be newer than kube-apiserver"],
    [
      "worker",
      { own: "v1.34.4", declared: "v1.34.4", annotation: "v1.33.0" },
      "the control plane has v1.33.0",
    ],
    ["worker", { own: "v1.30.0", declared: "v1.34.4" }, "more than three minor versions older"],
  ] as const)("is refused as %s: %j", (role, world, message) => {
    expect(join_(role, world)).toContain(message);
  });
});

describe("a sole master's new server", () => {
  /** @returns the version that it makes the control plane one of; undefined for none, or what the script said */
  const fit = (image: string, present: string, kubernetes_version: string) => {
    mkdirSync(standIns.at("etc/kubernetes/manifests"), { recursive: true });
    writeFileSync(
      standIns.at("etc/kubernetes/manifests/kube-apiserver.yaml"),
      `    image: registry:5000/kube-apiserver:${present}\n`,
    );
    standIns.program("kubelet", `echo Kubernetes ${image}`);
    standIns.program("kubeadm", `echo ${image}`);
    const said = standIns.run(
      "control-plane-copy.sh",
      "create",
      { kubernetes_version, minors_at_a_time: LIMITS.minors_at_a_time },
      {
        'exclusively\n"$1" </dev/null': "fit_version",
        'say "the control plane is upgraded to': `echo "$1" >${standIns.at("told")}; exit; say "`,
      },
    );
    return said ?? (standIns.log().trim() || undefined);
  };

  it.each([
    ["v1.33.0", "v1.33.0", "", undefined],
    ["v1.33.4", "v1.33.0", "v1.33.0", undefined],
    ["v1.32.0", "v1.33.0", "v1.33.0", undefined],
    ["v1.34.4", "v1.33.0", "v1.34.4", "v1.34.4"],
    ["v1.34.0", "v1.33.0", "v1.34.4", "v1.34.4"],
  ])("with an image of %s and a copy of %s goes up to %j: %s", (image, present, wanted, made) => {
    expect(fit(image, present, wanted)).toBe(made);
  });

  it.each([
    [
      ["v1.35.0", "v1.33.0", "v1.35.0"],
      "kubernetes_version is v1.35.0, and the cluster is of v1.33.0: a control-plane node is upgraded by one minor version at a time. Set " +
        "kubernetes_version and an image of v1.34, and set a new trigger value for this node under heal. The copy stays",
    ],
    [
      ["v1.34.4", "v1.33.0", ""],
      "the image has kubelet v1.34.4, and the cluster is of v1.33.0: use an image of v1.33, or set kubernetes_version",
    ],
    [
      ["v1.33.0", "v1.33.0", "v1.34.4"],
      "the image has kubeadm v1.33.0, and kubernetes_version is v1.34.4: kubeadm creates control planes of its own minor version",
    ],
  ] as const)("does not go on with %j", ([image, present, wanted], why) => {
    expect(fit(image, present, wanted)).toContain(why);
  });
});
