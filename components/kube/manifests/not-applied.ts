import { posix } from "node:path";
import { at, groupOf, isFields, text, type Fields, type KubeObject } from "../objects/object";

/** Events of Helm hooks outside installations and upgrades. */
const REMOVING = /^(test|test-success|test-failure|(pre|post)-(delete|rollback))$/;

/**
 * Returns the reason why an object is not applied, such as that it belongs to another tool. Undefined: it is applied.
 */
export function leftOutBecause(object: KubeObject): string | undefined {
  const annotation = (key: string) => text(at(object.metadata, "annotations", key));
  const local = annotation("config.kubernetes.io/local-config");
  if (local !== undefined && local !== "false")
    return "is for tools and not for a cluster, by its annotation config.kubernetes.io/local-config";
  if (groupOf(object) === "fn.kpt.dev" || (groupOf(object) === "kpt.dev" && object.kind === "Kptfile"))
    return "is for kpt and not for a cluster";
  const hook = annotation("helm.sh/hook");
  const events = hook?.split(",").map((event) => event.trim().toLowerCase());
  if (events?.every((event) => REMOVING.test(event)))
    return `is a hook that Helm runs only at ${events.join(" and ")}; install the chart with using_helm_install_param to run it`;
  return undefined;
}

const CHART = "install the chart with using_helm_install_param";
const FOR_KUBEADM = "write such settings in the parameters of the cluster's instance";

/** Descriptions of mappings that are no Kubernetes objects, with what to do. */
const FORMATS: readonly (readonly [what: string, is: (map: Fields, file: string) => boolean])[] = [
  [
    "is a kustomization; list the output of `kubectl kustomize` instead",
    (map, file) =>
      apiOf(map).startsWith("kustomize.config.k8s.io/") ||
      /^kustomization\.ya?ml$/i.test(posix.basename(file)),
  ],
  [
    "is a kubeconfig, which is for clients",
    (map) => map["kind"] === "Config" && (apiOf(map) === "v1" || "clusters" in map),
  ],
  [
    "contains settings of istioctl; list the output of `istioctl manifest generate` instead",
    ofKind("install.istio.io", "IstioOperator"),
  ],
  [`is a configuration of kubeadm; ${FOR_KUBEADM}`, ofKind("kubeadm.k8s.io")],
  [
    `is a configuration file of a component of Kubernetes; ${FOR_KUBEADM}`,
    (map) => /^([a-z]+\.config|audit)\.k8s\.io\//.test(apiOf(map)),
  ],
  ["is a configuration of kind, which creates clusters on one machine", ofKind("kind.x-k8s.io")],
  [
    `is the Chart.yaml of a Helm chart; ${CHART}`,
    (map) => !("kind" in map) && "apiVersion" in map && "name" in map && "version" in map,
  ],
  [
    `is the index of a Helm repository; ${CHART}`,
    (map) => !("kind" in map) && "apiVersion" in map && "entries" in map,
  ],
  [
    `contains values of a Helm chart; ${CHART}, with these values`,
    (map, file) =>
      !("kind" in map) && !("apiVersion" in map) && /^values\b.*\.ya?ml$/i.test(posix.basename(file)),
  ],
  ["is a Compose file, which is for Docker", (map) => !("kind" in map) && isFields(map["services"])],
];

const apiOf = (map: Fields): string => text(map["apiVersion"]) ?? "";

function ofKind(group: string, kind?: string) {
  return (map: Fields): boolean =>
    apiOf(map).startsWith(`${group}/`) && (kind === undefined || map["kind"] === kind);
}

/** Returns the error about a mapping that is not an object, with what to do. Undefined: it may be an object. */
export function otherFileProblem(map: Fields, file: string): string | undefined {
  return FORMATS.find(([, is]) => is(map, file))?.[0];
}
