import { own } from "../../base/own";
import type { KubeObject } from "./object";
import { parseVersion } from "../cluster/version";

/**
 * Removals by kind; `*` is every other kind: the first minor version without it, and the API version to use instead.
 */
type Removals = Readonly<Record<string, readonly [minor: number, instead?: string]>>;

/** Removed API versions: https://kubernetes.io/docs/reference/using-api/deprecation-guide/ */
const REMOVED: Readonly<Record<string, Removals>> = {
  "admissionregistration.k8s.io/v1beta1": {
    MutatingWebhookConfiguration: [22, "admissionregistration.k8s.io/v1"],
    ValidatingWebhookConfiguration: [22, "admissionregistration.k8s.io/v1"],
  },
  "apiextensions.k8s.io/v1beta1": { "*": [22, "apiextensions.k8s.io/v1"] },
  "apiregistration.k8s.io/v1beta1": { "*": [22, "apiregistration.k8s.io/v1"] },
  "apps/v1beta1": { "*": [16, "apps/v1"] },
  "apps/v1beta2": { "*": [16, "apps/v1"] },
  "authentication.k8s.io/v1beta1": { TokenReview: [22, "authentication.k8s.io/v1"] },
  "authorization.k8s.io/v1beta1": { "*": [22, "authorization.k8s.io/v1"] },
  "autoscaling/v2beta1": { "*": [25, "autoscaling/v2"] },
  "autoscaling/v2beta2": { "*": [26, "autoscaling/v2"] },
  "batch/v1beta1": { "*": [25, "batch/v1"] },
  "certificates.k8s.io/v1beta1": { CertificateSigningRequest: [22, "certificates.k8s.io/v1"] },
  "coordination.k8s.io/v1beta1": { Lease: [22, "coordination.k8s.io/v1"] },
  "discovery.k8s.io/v1beta1": { "*": [25, "discovery.k8s.io/v1"] },
  "events.k8s.io/v1beta1": { "*": [25, "events.k8s.io/v1"] },
  "extensions/v1beta1": {
    Ingress: [22, "networking.k8s.io/v1"],
    NetworkPolicy: [16, "networking.k8s.io/v1"],
    PodSecurityPolicy: [16],
    "*": [16, "apps/v1"],
  },
  "flowcontrol.apiserver.k8s.io/v1beta1": { "*": [26, "flowcontrol.apiserver.k8s.io/v1"] },
  "flowcontrol.apiserver.k8s.io/v1beta2": { "*": [29, "flowcontrol.apiserver.k8s.io/v1"] },
  "flowcontrol.apiserver.k8s.io/v1beta3": { "*": [32, "flowcontrol.apiserver.k8s.io/v1"] },
  "networking.k8s.io/v1beta1": {
    Ingress: [22, "networking.k8s.io/v1"],
    IngressClass: [22, "networking.k8s.io/v1"],
  },
  "node.k8s.io/v1beta1": { "*": [25, "node.k8s.io/v1"] },
  "policy/v1beta1": { PodSecurityPolicy: [25], "*": [25, "policy/v1"] },
  "rbac.authorization.k8s.io/v1beta1": { "*": [22, "rbac.authorization.k8s.io/v1"] },
  "scheduling.k8s.io/v1beta1": { PriorityClass: [22, "scheduling.k8s.io/v1"] },
  "storage.k8s.io/v1beta1": {
    CSIDriver: [22, "storage.k8s.io/v1"],
    CSINode: [22, "storage.k8s.io/v1"],
    CSIStorageCapacity: [27, "storage.k8s.io/v1"],
    StorageClass: [22, "storage.k8s.io/v1"],
    VolumeAttachment: [22, "storage.k8s.io/v1"],
  },
};

/**
 * Returns the error about a removed API version, with its successor. Undefined if it is not removed, or not known.
 * @param version of Kubernetes, such as `v1.33.0`. @default not known: each removed API version is an error
 */
export function removedProblem(
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
  version?: string,
): string | undefined {
  const removals = own(REMOVED, apiVersion) ?? {};
  const [minor, instead] = own(removals, kind) ?? own(removals, "*") ?? [];
  const present = parseVersion(version)?.minor;
  if (minor === undefined || (present !== undefined && minor > present)) return undefined;
  const way = instead === undefined ? "it has no successor" : `use ${instead}, whose fields may differ`;
  return `${apiVersion} was removed in Kubernetes v1.${minor}; ${way}`;
}
