import type { CertificateEnds } from "../kube/cluster/certificate-ends";
import type { ProtectedObjects } from "./workload/holders";

/** Outputs of the instances of a stack after the last run: the fields that the next run reads. */
export type FormerOutputs = Readonly<Record<string, FormerVnf | undefined>>;

interface FormerVnf {
  /** Name of its cloud in clouds.yaml. @default the cloud of the stack */
  readonly cloud?: string;
  readonly kubernetesVersion?: string;
  /** Expiry of the certificates of a kubeadm cluster's control-plane nodes. */
  readonly certificates?: CertificateEnds;
  /** Pod CIDRs of a workload cluster. */
  readonly podCidrs?: readonly string[];
  /** Service CIDRs of a workload cluster. */
  readonly serviceCidrs?: readonly string[];
  /** Names of the PersistentVolumes of a cluster with a storage server. */
  readonly persistentVolumes?: readonly string[];
  /** Hashes of the immutable fields of objects of a CNF's charts, by object. */
  readonly immutableHashes?: Readonly<Record<string, string>>;
  /** VNFCs: a map by key for servers, a list for a CNF. */
  readonly vnfcs?: unknown;
  /** Helm releases of a CNF, as `<namespace>/<name>`. */
  readonly releases?: readonly string[];
  /** CRDs and Namespaces of a CNF that must not be deleted while they contain objects that the stack did not create. */
  readonly protectedObjects?: ProtectedObjects;
}
