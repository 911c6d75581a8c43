import type { Place } from "../base/findings";
import { fields, items, text, type Fields } from "../kube/objects/object";
import { own } from "../base/own";
import { parseVersion } from "../kube/cluster/version";
import { argumentProblem } from "./component-tables";
import { VALUES } from "./component-values";
import { kubeletProblems } from "./kubelet-rules";

/**
 * Syntax of an argument's value: entries of a map are `key=value`, thresholds `key<value`, each separated by commas.
 */
type Form = "text" | "number" | "list" | "map" | "thresholds" | "memory";

/** Arguments of kubelets that KubeletConfiguration has as fields, to which the rules of the fields apply. */
const FIELDS: Readonly<Record<string, readonly [field: string, form: Form]>> = {
  "cpu-manager-policy": ["cpuManagerPolicy", "text"],
  "cpu-manager-policy-options": ["cpuManagerPolicyOptions", "map"],
  "enforce-node-allocatable": ["enforceNodeAllocatable", "list"],
  "eviction-hard": ["evictionHard", "thresholds"],
  "eviction-minimum-reclaim": ["evictionMinimumReclaim", "map"],
  "eviction-soft": ["evictionSoft", "thresholds"],
  "eviction-soft-grace-period": ["evictionSoftGracePeriod", "map"],
  "feature-gates": ["featureGates", "map"],
  "hairpin-mode": ["hairpinMode", "text"],
  "image-gc-high-threshold": ["imageGCHighThresholdPercent", "number"],
  "image-gc-low-threshold": ["imageGCLowThresholdPercent", "number"],
  "kube-reserved": ["kubeReserved", "map"],
  "kube-reserved-cgroup": ["kubeReservedCgroup", "text"],
  "max-pods": ["maxPods", "number"],
  "memory-manager-policy": ["memoryManagerPolicy", "text"],
  "reserved-cpus": ["reservedSystemCPUs", "text"],
  "reserved-memory": ["reservedMemory", "memory"],
  "system-reserved": ["systemReserved", "map"],
  "system-reserved-cgroup": ["systemReservedCgroup", "text"],
  "tls-cipher-suites": ["tlsCipherSuites", "list"],
  "tls-min-version": ["tlsMinVersion", "text"],
  "topology-manager-policy": ["topologyManagerPolicy", "text"],
  "topology-manager-policy-options": ["topologyManagerPolicyOptions", "map"],
  "topology-manager-scope": ["topologyManagerScope", "text"],
};

/**
 * Records arguments with which a kubelet does not start.
 * @param args by name, of any shape
 * @param version of Kubernetes
 * @param place of the arguments
 */
export function checkKubeletArguments(args: Fields, version: string | undefined, place: Place): void {
  const minor = parseVersion(version)?.minor;
  const configuration: Record<string, unknown> = {};
  const nameOf = new Map<string, string>();
  for (const [name, raw] of Object.entries(args)) {
    const value = text(raw);
    const problem = argumentProblem("kubelet", name, minor);
    if (problem !== undefined) place.get(name).fault(problem);
    const [field, form] = own(FIELDS, name) ?? [];
    if (value === undefined || field === undefined || form === undefined) continue;
    nameOf.set(field, name);
    configuration[field] = read(value, form);
    for (const one of valuesOf(configuration[field])) {
      const wrong = own(VALUES["KubeletConfiguration"] ?? {}, field)?.(one);
      if (wrong !== undefined) place.get(name).fault(`${JSON.stringify(one)} ${wrong}`);
    }
  }
  for (const { field, problem } of kubeletProblems(configuration, minor))
    (nameOf.has(field) ? place.get(nameOf.get(field) ?? "") : place).fault(problem);
}

function read(value: string, form: Form): unknown {
  const parts = value.split(",").filter(Boolean);
  const pairs = (separator: string) =>
    Object.fromEntries(
      parts.map((part) => {
        const [key = "", ...rest] = part.split(separator);
        return [key, rest.join(separator)];
      }),
    );
  switch (form) {
    case "text":
      return value;
    case "number":
      return Number(value);
    case "list":
      return parts;
    case "map":
      return pairs("=");
    case "thresholds":
      return pairs("<");
    case "memory":
      // 0:memory=1Gi,hugepages-1Gi=2Gi;1:memory=1Gi
      return value.split(";").map((node) => {
        const [numaNode, limits = ""] = node.split(":");
        return { numaNode: Number(numaNode), limits: read(limits, "map") };
      });
  }
}

/** The strings and numbers in a value, which may be a list or a map. */
function valuesOf(value: unknown): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  const inner = Array.isArray(value) ? items(value) : Object.values(fields(value));
  return inner.filter((one) => typeof one === "string");
}
