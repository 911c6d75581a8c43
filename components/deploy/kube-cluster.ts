import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { CertificateEnds } from "../kube/cluster/certificate-ends";
import type { VimConnectionInfo } from "../render/access";
import { clusterProvider } from "./provider";

/** A cluster that Kubernetes objects land on, whatever has made it. */
export interface KubeCluster {
  /** Secret; known once the API answers. */
  readonly kubeconfig: pulumi.Output<string>;
  /** For the objects on the cluster. */
  readonly provider: Provider;
  /** What objects on the cluster need: they come after it and go before it. */
  readonly usable: readonly pulumi.Resource[];
  /** What goes with the whole cluster, and with nothing less. Undefined: the program knows of no end of it. */
  readonly lifetime: pulumi.Resource | undefined;
}

/** A cluster that this stack makes, and which its outputs have as a VIM. */
export interface OwnCluster extends KubeCluster {
  readonly vimName: string;
  readonly apiUrl: pulumi.Output<string>;
  /** Such as `v1.33.0`. Undefined: the program does not know it. */
  readonly kubernetesVersion?: string | undefined;
  /** When those of its masters end. Undefined: Cluster API renews them. */
  readonly certificates?: pulumi.Output<CertificateEnds> | undefined;
  /** Blocks of addresses of a workload cluster's pods. */
  readonly podCidrs?: readonly string[];
  /** Blocks of addresses of a workload cluster's Services. */
  readonly serviceCidrs?: readonly string[];
  /** Secret. */
  readonly vimConnectionInfo: pulumi.Output<VimConnectionInfo>;
  /** Names of those of its storage server, known once they are registered. Undefined: it has none. */
  readonly persistentVolumes?: pulumi.Output<string[]> | undefined;
}

/**
 * A cluster that is there whatever this stack does.
 *
 * @param name of the instance on it, and of its provider
 * @param identity what makes it another cluster: see clusterProvider
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
