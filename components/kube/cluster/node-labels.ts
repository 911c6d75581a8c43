/** Rules for labels and taints of nodes, and which program may set them. */

/** Returns the error of an invalid key of a label or taint: a name, optionally after a domain and a slash. */
export function keyProblem(key: string): string | undefined {
  const parts = key.split("/");
  const [name = "", domain] = parts.reverse();
  if (parts.length > 2) return `"${key}" has more than one /`;
  if (domain !== undefined && !isDomain(domain))
    return `"${domain}" before the / is not a domain of lower-case letters, digits, - and ., such as example.com`;
  return NAME.test(name)
    ? undefined
    : `"${name}" must have 1 to 63 letters, digits, -, _ and ., and begin and end with a letter or digit`;
}

/** Returns the error of an invalid value of a label or taint. */
export function valueProblem(value: string): string | undefined {
  return value === "" || NAME.test(value)
    ? undefined
    : `"${value}" must be empty, or have up to 63 letters, digits, -, _ and ., and begin and end with a letter or digit`;
}

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

function isDomain(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
}

/**
 * Returns true if Cluster API copies a label from a machine to its Node, and keeps it there.
 * https://cluster-api.sigs.k8s.io/developer/architecture/controllers/metadata-propagation
 */
export function isKeptByClusterApi(key: string): boolean {
  return /^(node-role\.kubernetes\.io|(.+\.)?node-restriction\.kubernetes\.io|(.+\.)?node\.cluster\.x-k8s\.io)(\/|$)/.test(
    key,
  );
}

/**
 * Returns true if a kubelet may set this label on its own node. With any other label of kubernetes.io it does not
 * start.
 */
export function isOfKubelet(key: string): boolean {
  const [domain = ""] = key.includes("/") ? key.split("/") : [];
  const isOfKubernetes = /^(.+\.)?(kubernetes|k8s)\.io$/.test(domain);
  return (
    !isOfKubernetes || KUBELET_LABELS.includes(key) || /^(.+\.)?(kubelet|node)\.kubernetes\.io$/.test(domain)
  );
}

/** Labels that a kubelet may set, as in `k8s.io/kubelet/pkg/apis`. */
const KUBELET_LABELS = [
  ...["kubernetes.io/hostname", "kubernetes.io/os", "kubernetes.io/arch"],
  ...["topology.kubernetes.io/zone", "topology.kubernetes.io/region"],
  ...["failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"],
  ...["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"],
  ...["beta.kubernetes.io/os", "beta.kubernetes.io/arch"],
];

/** Parses labels in the form of the kubelet's argument `--node-labels`, such as `a=b,example.com/c=`. */
export function readNodeLabels(text: string): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = "", ...value] = pair.split("=");
      return [key.trim(), value.join("=").trim()];
    }),
  );
}

/** A taint of a node. */
export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Writes taints in the form of the kubelet's `--register-with-taints` and of cluster-autoscaler's annotations. */
export function writeTaints(taints: readonly NodeTaint[]): string {
  return taints.map(({ key, value = "", effect }) => `${key}=${value}:${effect}`).join(",");
}

/** Writes labels in the form of `--node-labels` and of cluster-autoscaler's annotations. */
export function writeNodeLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}
