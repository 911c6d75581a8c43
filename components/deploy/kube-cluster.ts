import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { CertificateEnds } from "../kube/cluster/certificate-ends";
import type { VimConnectionInfo } from "../render/access";
import { clusterProvider } from "./provider";

/** A target cluster for Kubernetes objects, of this stack or any other. */
export interface KubeCluster {
  /** Kubeconfig, secret; known once the API answers. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Provider for the objects on the cluster. */
  readonly provider: Provider;
  /** Resources that objects on the cluster need: they are created before the objects and deleted after them. */
  readonly usable: readonly pulumi.Resource[];
  /**
   * The resource that is replaced or deleted only together with the whole cluster. Undefined: vnfm does not delete the
   * cluster.
   */
  readonly lifetime: pulumi.Resource | undefined;
}

/** A cluster that this stack creates; it is a VIM in the stack's outputs. */
export interface OwnCluster extends KubeCluster {
  readonly vimName: string;
  readonly apiUrl: pulumi.Output<string>;
  /** Version such as `v1.33.0`. Undefined: not known. */
  readonly kubernetesVersion?: string | undefined;
  /** Expiry of the certificates of its masters. Undefined: Cluster API renews them. */
  readonly certificates?: pulumi.Output<CertificateEnds> | undefined;
  /** CIDRs of a workload cluster's pods. */
  readonly podCidrs?: readonly string[];
  /** CIDRs of a workload cluster's Services. */
  readonly serviceCidrs?: readonly string[];
  /** Access for `vim_connection_info`; secret. */
  readonly vimConnectionInfo: pulumi.Output<VimConnectionInfo>;
  /** Names of the PersistentVolumes of its storage server, known once they are registered. Undefined: it has none. */
  readonly persistentVolumes?: pulumi.Output<string[]> | undefined;
}

/**
 * A cluster that this stack does not create.
 * @param name of the instance on it, and of its provider
 * @param identity property that identifies the cluster: see clusterProvider
 */
export function foreignCluster(
  name: string,
  kubeconfig: pulumi.Output<string>,
  identity: "name" | "server",
  opts: pulumi.CustomResourceOptions,
): KubeCluster {
  const provider = clusterProvider(name, { kubeconfig, identity }, opts);
  return { kubeconfig, provider, usable: [], lifetime: undefined };
}
