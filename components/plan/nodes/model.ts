import type { Place } from "../../base/findings";
import type { Secret } from "../../base/secret";
import type { NodeFile } from "../../kube/cluster/control-plane";
import type { RegistryLogin } from "../registry-login";

/** Settings of a cluster's nodes that kubeadm clusters and workload clusters from templates have alike. */
export interface NodeSpec {
  /** Certificates of CAs, PEM. */
  readonly trustedCertificates: readonly string[];
  readonly registries: readonly Registry[];
  readonly proxy: Proxy | undefined;
  readonly files: Placed<readonly OperatorFile[]>;
  readonly keystone: Placed<Keystone> | undefined;
}

/** Keystone as an authenticator of the cluster's users. */
export interface Keystone {
  readonly authUrl: string;
  /** Certificates of its CA, PEM. Undefined: those of the image of k8s-keystone-auth. */
  readonly ca?: string;
  /** Kubernetes groups by the Keystone role that assigns them. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** The image of k8s-keystone-auth. */
  readonly image: string;
  /** Port of kube-apiserver on its node. */
  readonly apiServerPort: number;
}

/** A file of the operator. */
export interface OperatorFile extends Omit<NodeFile, "content"> {
  readonly content: string | Secret;
}

/** The site's proxy. */
export interface Proxy {
  readonly http: Secret | undefined;
  readonly https: Secret | undefined;
  /** Exceptions of the operator, separated by commas. */
  readonly exceptions: string | undefined;
  /** CIDRs of the cluster's pods and Services. */
  readonly cidrs: readonly string[];
  /** CIDR of the nodes. Undefined: not known. */
  readonly nodeCidr: string | undefined;
  /** DNS domain of Services. */
  readonly dnsDomain: string;
}

/** A registry of container images. */
export interface Registry {
  /** The prefix in names of images: `registry.example:5000`. */
  readonly name: string;
  /** Undefined: that of containerd's configuration in the image, by default HTTPS. */
  readonly scheme: Placed<"http" | "https"> | undefined;
  /** URLs that containerd queries before the registry, in this order. */
  readonly mirrors: Placed<readonly string[]> | undefined;
  /** Certificates of its CA, PEM. Undefined: those that the image trusts. */
  readonly ca: string | undefined;
  /** Undefined: access is anonymous. */
  readonly login: RegistryLogin | undefined;
  /** A line of `/etc/hosts`. */
  readonly hostsLine: string | undefined;
}

/** A value with the place of its setting, for messages. */
export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

/**
 * A capability of nodes. It records the settings that a node would reject, and returns its parts of each node and its
 * warnings.
 */
export type NodeFeature = (spec: NodeSpec) => Partial<NodeParts>;

/** Parts of each node of a cluster. Both kinds of clusters write them, without knowledge of the features. */
export interface NodeParts {
  /** Files of CAs. A node that gets others updates the CAs that its programs trust. */
  readonly trusted: readonly NodeFile[];
  readonly files: readonly NodeFile[];
  readonly secretFiles: readonly SecretFile[];
  /** Files of the operator. */
  readonly operatorFiles: readonly OperatorFile[];
  /** Its files may contain the address of their node: see proxyFiles. */
  readonly proxy: Proxy | undefined;
  /** Lines of `/etc/hosts`. */
  readonly hostsLines: readonly string[];
  /** k8s-keystone-auth on nodes of the control plane. Undefined: the cluster knows no users of Keystone. */
  readonly keystoneAuth: KeystoneAuth | undefined;
  readonly warnings: readonly string[];
}

/** The program that queries Keystone for kube-apiserver. */
export interface KeystoneAuth {
  readonly files: readonly NodeFile[];
  /** A file of kube-apiserver, which does not start without it. */
  readonly webhook: NodeFile;
  /** Its static pod. */
  readonly pod: NodeFile;
  /** The command before it starts, on a node with the CA of the cluster. */
  readonly before: string;
  /** The command once the API answers. */
  readonly after: string;
}

/** A file of a node that contains a secret. */
export interface SecretFile extends Omit<NodeFile, "content"> {
  readonly content: Secret;
  /** A value that changes with the content, without a secret that could be guessed from its hash. */
  readonly identity: unknown;
}
