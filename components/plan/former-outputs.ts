import type { CertificateEnds } from "../kube/cluster/certificate-ends";
import type { ProtectedObjects } from "./workload/holders";

/** Outputs of the instances of a stack after the last run, as far as the next run looks at them. */
export type FormerOutputs = Readonly<Record<string, FormerVnf | undefined>>;

interface FormerVnf {
  readonly kubernetesVersion?: string;
  /** When those of a kubeadm cluster's masters end. */
  readonly certificates?: CertificateEnds;
  /** Of a workload cluster. */
  readonly podCidrs?: readonly string[];
  /** Of a workload cluster. */
  readonly serviceCidrs?: readonly string[];
  /** Of a cluster with a storage server. */
  readonly persistentVolumes?: readonly string[];
  /** Hashes of the immutable fields of objects of a CNF's charts, by object. */
  readonly immutableHashes?: Readonly<Record<string, string>>;
  /** Of servers by their keys; of a CNF a list. */
  readonly vnfcs?: unknown;
  /** Helm releases of a CNF, as `<namespace>/<name>`. */
  readonly releases?: readonly string[];
  /** Definitions and Namespaces of a CNF that do not go while others have objects in them. */
  readonly protectedObjects?: ProtectedObjects;
}
