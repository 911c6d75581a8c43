import type { Place } from "../../base/findings";
import type { Secret } from "../../base/secret";
import type { NodeFile } from "../../kube/cluster/control-plane";
import type { RegistryLogin } from "../registry-login";

/** Settings of a cluster's nodes that kubeadm clusters and workload clusters from templates have alike. */
export interface NodeSpec {
  /** Certificates of CAs, PEM. */
  readonly trustedCertificates: readonly string[];
  readonly registries: readonly Registry[];
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
  /** Lines of `/etc/hosts`. */
  readonly hostsLines: readonly string[];
  readonly warnings: readonly string[];
}

/** A file of a node that contains a secret. */
export interface SecretFile extends Omit<NodeFile, "content"> {
  readonly content: Secret;
  /** A value that changes with the content, without a secret that could be guessed from its hash. */
  readonly identity: unknown;
}
