import type { NodeFeature, NodeParts, NodeSpec } from "./model";
import { keystoneAuth } from "./keystone-auth";
import { operatorFiles } from "./operator-files";
import { registries } from "./registries";
import { trustedCertificates } from "./trusted-certificates";

/** Features in the order in which their files are written. */
const FEATURES: readonly NodeFeature[] = [trustedCertificates, registries, operatorFiles, keystoneAuth];

/** Plans the node configuration that kubeadm clusters and workload clusters have in common. */
export function planNodes(spec: NodeSpec): NodeParts {
  const parts = FEATURES.map((feature) => feature(spec));
  return {
    proxy: spec.proxy,
    trusted: parts.flatMap(({ trusted = [] }) => trusted),
    files: parts.flatMap(({ files = [] }) => files),
    operatorFiles: parts.flatMap(({ operatorFiles: files = [] }) => files),
    secretFiles: parts.flatMap(({ secretFiles = [] }) => secretFiles),
    hostsLines: parts.flatMap(({ hostsLines = [] }) => hostsLines),
    keystoneAuth: parts.find((part) => part.keystoneAuth)?.keystoneAuth,
    warnings: parts.flatMap(({ warnings = [] }) => warnings),
  };
}
