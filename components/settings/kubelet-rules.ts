import { secondsOf } from "../base/duration";
import { at, fields, isFields, items, text, type Fields } from "../kube/objects/object";
import { parseQuantity } from "../kube/objects/quantity";
import { didYouMean, oneOf } from "../base/nearest";
import { cipherProblem, gateProblem } from "./component-tables";

/** A field of a KubeletConfiguration, with the reason why a kubelet does not start with it. */
export interface KubeletProblem {
  readonly field: string;
  readonly problem: string;
}

/** Eviction signals of the kubelet (pkg/kubelet/eviction/api/types.go). */
const SIGNALS = [
  ...["memory.available", "allocatableMemory.available", "pid.available"],
  ...["nodefs", "imagefs", "containerfs"].flatMap((fs) => [`${fs}.available`, `${fs}.inodesFree`]),
];

/** The kubelet's default for evictionHard: pods are evicted if less memory is available. */
const EVICTION_MEMORY = "100Mi";

/**
 * The kubelet's defaults, in percent of disk usage: it deletes unused images above the first until it is below the
 * second.
 */
const IMAGE_GC = { high: 85, low: 80 };

/** Policy options of the newest Kubernetes. Older releases have only those whose feature gates exist there. */
const OPTIONS = {
  cpuManagerPolicyOptions: [
    ...["align-by-socket", "distribute-cpus-across-cores", "distribute-cpus-across-numa", "full-pcpus-only"],
    ...["prefer-align-cpus-by-uncorecache", "strict-cpu-reservation"],
  ],
  topologyManagerPolicyOptions: ["max-allowable-numa-nodes", "prefer-closest-numa-nodes"],
} as const;

/**
 * Returns the fields of a KubeletConfiguration that are valid by themselves but with which a kubelet does not start, by
 * the rules of pkg/kubelet/apis/config/validation, the eviction manager, and the CPU and memory managers.
 *
 * @param config the additions, of any shape
 * @param minor version of Kubernetes. Undefined: not set
 */
export function kubeletProblems(config: Fields, minor: number | undefined): KubeletProblem[] {
  return [
    ...resourceProblems(config),
    ...optionProblems(config),
    ...evictionProblems(config),
    ...enforcementProblems(config),
    ...imageProblems(config),
    ...shutdownProblems(config),
    ...gateProblems(config["featureGates"], minor),
    ...items(config["tlsCipherSuites"]).flatMap((suite) =>
      problem("tlsCipherSuites", text(suite) && prefixed(text(suite), cipherProblem(text(suite) ?? ""))),
    ),
  ];
}

/**
 * Returns feature gates with which a component does not start.
 * @param gates values by gate, of any shape
 */
export function gateProblems(
  gates: unknown,
  minor: number | undefined,
  of: "kubeadm" | "components" = "components",
): KubeletProblem[] {
  return Object.entries(fields(gates)).flatMap(([name, value]) =>
    problem("featureGates", prefixed(name, gateProblem(name, String(value), minor, of))),
  );
}

function problem(field: string, found: string | undefined): KubeletProblem[] {
  return found === undefined || found === "" ? [] : [{ field, problem: found }];
}

function prefixed(name: string | undefined, found: string | undefined): string | undefined {
  return found === undefined ? undefined : `"${name}" ${found}`;
}

/** Checks that CPUs and memory are reserved for the node if a policy pins them. */
function resourceProblems(config: Fields): KubeletProblem[] {
  const { cpuManagerPolicy, memoryManagerPolicy, reservedSystemCPUs, reservedMemory } = config;
  const reserved = (resource: string): bigint =>
    [config["kubeReserved"], config["systemReserved"]]
      .map((of) => parseQuantity(at(of, resource) ?? 0) ?? 0n)
      .reduce((sum, amount) => sum + amount, 0n);
  const hasCpus = reserved("cpu") > 0n || (text(reservedSystemCPUs) ?? "") !== "";
  const threshold = isFields(config["evictionHard"])
    ? at(config["evictionHard"], "memory.available")
    : EVICTION_MEMORY;
  const evicted = threshold === undefined ? 0n : parseQuantity(threshold);
  const kept = items(reservedMemory)
    .map((node) => parseQuantity(at(node, "limits", "memory") ?? 0) ?? 0n)
    .reduce((sum, amount) => sum + amount, 0n);
  const required = reserved("memory") + (evicted ?? 0n);
  const isPinned = memoryManagerPolicy === "Static";
  const cgroups = ["systemReservedCgroup", "kubeReservedCgroup"].filter((key) => config[key] !== undefined);
  return [
    ...problem(
      "cpuManagerPolicy",
      cpuManagerPolicy === "static" && !hasCpus
        ? "static needs CPUs for the node itself; set reservedSystemCPUs, or cpu in kubeReserved or systemReserved"
        : undefined,
    ),
    ...problem(
      "memoryManagerPolicy",
      isPinned && items(reservedMemory).length === 0
        ? "Static needs reservedMemory for each NUMA node: in total as much memory as kubeReserved, systemReserved and " +
            "memory.available of evictionHard"
        : undefined,
    ),
    // a percentage is of the node's memory, which nobody knows here
    ...problem(
      "reservedMemory",
      isPinned && items(reservedMemory).length > 0 && evicted !== undefined && kept !== required
        ? `has ${mebibytes(kept)} of memory, and kubeReserved, systemReserved and memory.available of evictionHard ` +
            `(${EVICTION_MEMORY} by default) have ${mebibytes(required)} together; make them equal`
        : undefined,
    ),
    ...problem(
      "reservedSystemCPUs",
      (text(reservedSystemCPUs) ?? "") !== "" && cgroups.length > 0
        ? `is not possible with ${cgroups.join(" and ")}; remove one`
        : undefined,
    ),
    ...problem(
      "reservedSystemCPUs",
      reservedSystemCPUs === undefined || /^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/.test(text(reservedSystemCPUs) ?? "")
        ? undefined
        : `"${text(reservedSystemCPUs)}" is not a list of CPUs, as in 0-1,8`,
    ),
  ];
}

function mebibytes(billionths: bigint): string {
  return `${Number(billionths / 10n ** 9n) / 2 ** 20}Mi`;
}

function optionProblems(config: Fields): KubeletProblem[] {
  return Object.entries(OPTIONS).flatMap(([field, known]) => {
    const names = Object.keys(fields(config[field]));
    const isUseless =
      field === "cpuManagerPolicyOptions" && (config["cpuManagerPolicy"] ?? "none") === "none";
    return [
      ...names
        .filter((name) => !known.some((one) => one === name))
        .flatMap((name) =>
          problem(field, `"${name}" is not an option; ${oneOf(known)}${didYouMean(name, known)}`),
        ),
      ...problem(
        field,
        names.length > 0 && isUseless
          ? "require cpuManagerPolicy static; set that, or remove them"
          : undefined,
      ),
    ];
  });
}

function evictionProblems(config: Fields): KubeletProblem[] {
  const maps = ["evictionHard", "evictionSoft", "evictionSoftGracePeriod", "evictionMinimumReclaim"];
  const periods = fields(config["evictionSoftGracePeriod"]);
  return [
    ...maps.flatMap((field) =>
      Object.keys(fields(config[field]))
        .filter((signal) => !SIGNALS.includes(signal))
        .flatMap((signal) =>
          problem(field, `"${signal}" is not a signal; ${oneOf(SIGNALS)}${didYouMean(signal, SIGNALS)}`),
        ),
    ),
    ...Object.keys(fields(config["evictionSoft"]))
      .filter((signal) => periods[signal] === undefined)
      .flatMap((signal) =>
        problem("evictionSoft", `"${signal}" has no period in evictionSoftGracePeriod; set one, as in 1m30s`),
      ),
  ];
}

function enforcementProblems(config: Fields): KubeletProblem[] {
  const field = "enforceNodeAllocatable";
  const levels = items(config[field]).map((one) => text(one) ?? "");
  const cgroups = { "kube-reserved": "kubeReservedCgroup", "system-reserved": "systemReservedCgroup" };
  const needs = Object.entries(cgroups).flatMap(([level, cgroup]) => {
    const ofLevel = levels.filter((one) => one === level || one === `${level}-compressible`);
    return [
      ...(ofLevel.length > 0 && (text(config[cgroup]) ?? "") === ""
        ? [
            `${ofLevel.join(" and ")} needs ${cgroup}, a cgroup of the node; set it too, or remove ${ofLevel.join(" and ")}`,
          ]
        : []),
      ...(new Set(ofLevel).size > 1 ? [`${ofLevel.join(" and ")} exclude each other; remove one`] : []),
    ];
  });
  const others = levels.filter((one) => one !== "none");
  return [
    ...needs,
    ...(levels.includes("none") && levels.length > 1 ? ["none excludes the others; remove the others"] : []),
    ...(new Set(levels).size < levels.length ? ["has a duplicate; remove it"] : []),
    ...(config["cgroupsPerQOS"] === false && (config[field] === undefined || others.length > 0)
      ? ["needs cgroupsPerQOS, which is false; set none here, or remove cgroupsPerQOS"]
      : []),
  ].map((found) => ({ field, problem: found }));
}

function imageProblems(config: Fields): KubeletProblem[] {
  const {
    imageGCHighThresholdPercent: high = IMAGE_GC.high,
    imageGCLowThresholdPercent: low = IMAGE_GC.low,
  } = config;
  const { maxParallelImagePulls: pulls, serializeImagePulls } = config;
  const isSet = config["imageGCHighThresholdPercent"] !== undefined;
  return [
    ...problem(
      isSet ? "imageGCHighThresholdPercent" : "imageGCLowThresholdPercent",
      Number(low) >= Number(high)
        ? `${String(isSet ? high : low)} leaves nothing between imageGCLowThresholdPercent ${String(low)} and ` +
            `imageGCHighThresholdPercent ${String(high)}; the low one must be less`
        : undefined,
    ),
    ...problem(
      "maxParallelImagePulls",
      Number(pulls) > 1 && serializeImagePulls === true
        ? `${String(pulls)} is not possible with serializeImagePulls: true; remove one`
        : undefined,
    ),
  ];
}

function shutdownProblems(config: Fields): KubeletProblem[] {
  const { shutdownGracePeriod: all, shutdownGracePeriodCriticalPods: ofCritical } = config;
  const [whole, critical] = [all, ofCritical].map((one) => secondsOf(text(one) ?? "0s"));
  return [
    ...problem(
      "shutdownGracePeriodCriticalPods",
      (critical ?? 0) > (whole ?? 0)
        ? `${text(ofCritical)} is a part of shutdownGracePeriod, which is ${text(all) ?? "0s"}; increase that`
        : undefined,
    ),
    ...problem(
      "shutdownGracePeriod",
      items(config["shutdownGracePeriodByPodPriority"]).length > 0 && (whole ?? 0) > 0
        ? "is not possible with shutdownGracePeriodByPodPriority; remove one"
        : undefined,
    ),
    ...problem(
      "systemCgroups",
      (text(config["systemCgroups"]) ?? "") !== "" && (text(config["cgroupRoot"]) ?? "") === ""
        ? "needs cgroupRoot; set it too"
        : undefined,
    ),
  ];
}
