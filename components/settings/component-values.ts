import { isIP } from "node:net";
import { parseCidr } from "../base/net/cidr";
import { parseQuantity } from "../kube/objects/quantity";

/** Returns the error of a value, or undefined. The message shows the setting and the value before it. */
export type ValueCheck = (value: string | number) => string | undefined;

/**
 * Returns the error of a value that has the right type.
 * @param check of the field
 */
export function valueProblem(value: unknown, type: unknown, check?: ValueCheck): string | undefined {
  if (type === "duration" && !DURATION.test(String(value))) return "is not a duration, as in 1m30s";
  return typeof value === "string" || typeof value === "number" ? check?.(value) : undefined;
}

/** A duration in Go's format. */
const DURATION = /^[-+]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;

/** Requires one of the known values. An empty string stands for the component's default. */
function oneOf(...known: readonly string[]): ValueCheck {
  return (value) =>
    value === "" || known.includes(String(value)) ? undefined : `is not one of ${known.join(", ")}`;
}

function range(least: number, most = Infinity): ValueCheck {
  const bounds = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  return (value) => (Number(value) >= least && Number(value) <= most ? undefined : `must be ${bounds}`);
}

function like(pattern: RegExp, what: string): ValueCheck {
  return (value) => (value === "" || pattern.test(String(value)) ? undefined : `is not ${what}`);
}

const PORT = range(0, 65535);
const PERCENT = range(0, 100);
const COUNT = range(0);
const isQuantity = (value: string | number): boolean => parseQuantity(value) !== undefined;
const QUANTITY: ValueCheck = (value) =>
  value === "" || isQuantity(value) ? undefined : "is not a quantity, as in 500Mi";
const THRESHOLD: ValueCheck = (value) =>
  isQuantity(value) || /^\d+(\.\d+)?%$/.test(String(value))
    ? undefined
    : "is neither a quantity, as in 500Mi, nor a percentage, as in 10%";
const ADDRESS: ValueCheck = (value) =>
  value === "" || isIP(String(value)) !== 0 ? undefined : "is not an IP address";
const CIDR: ValueCheck = (value) =>
  parseCidr(String(value)) ? undefined : "is not a CIDR, as in 10.0.0.0/24";
const ENDPOINT: ValueCheck = (value) => {
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(String(value)) ?? [];
  const isRight = isIP(ipv6 ?? ipv4 ?? "") !== 0 && Number(port) >= 1 && Number(port) <= 65535;
  // the component adds its own port
  return isRight || ADDRESS(value) === undefined
    ? undefined
    : "is not an address with a port, as in 0.0.0.0:10249";
};
const DNS_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const HOST: ValueCheck = (value) =>
  isIP(String(value)) !== 0 || DNS_NAME.test(String(value).toLowerCase().replace(/^\*\./, ""))
    ? undefined
    : "is neither an IP address nor a DNS name";

/** A registry with a path, in containerd's format: no scheme, no tag, lower case. */
const REPOSITORY: ValueCheck = (value) =>
  /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?(:\d+)?(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$/i.test(String(value)) &&
  !/\/.*[A-Z]/.test(String(value))
    ? undefined
    : "is not an image repository; write registry/path without https:// and without a tag, as in registry.k8s.io";

/** Checks of values by type and field, with the rules of kubeadm, the kubelet and kube-proxy. */
export const VALUES: Readonly<Record<string, Readonly<Record<string, ValueCheck>>>> = {
  APIServer: { certSANs: HOST },
  ClusterConfiguration: {
    imageRepository: REPOSITORY,
    encryptionAlgorithm: oneOf("RSA-2048", "RSA-3072", "RSA-4096", "ECDSA-P256", "ECDSA-P384"),
  },
  DNS: { imageRepository: REPOSITORY },
  LocalEtcd: {
    imageRepository: REPOSITORY,
    dataDir: like(/^\//, "an absolute path"),
    serverCertSANs: HOST,
    peerCertSANs: HOST,
  },
  Networking: { dnsDomain: like(DNS_NAME, "a DNS name") },
  KubeletAuthorization: { mode: oneOf("AlwaysAllow", "Webhook") },
  KubeletConfiguration: {
    address: ADDRESS,
    cgroupDriver: oneOf("cgroupfs", "systemd"),
    clusterDNS: ADDRESS,
    configMapAndSecretChangeDetectionStrategy: oneOf("Get", "Cache", "Watch"),
    containerLogMaxFiles: range(2),
    containerLogMaxSize: QUANTITY,
    containerLogMaxWorkers: range(1),
    cpuManagerPolicy: oneOf("none", "static"),
    enforceNodeAllocatable: oneOf(
      ...["none", "pods", "system-reserved", "system-reserved-compressible"],
      ...["kube-reserved", "kube-reserved-compressible"],
    ),
    eventBurst: COUNT,
    eventRecordQPS: COUNT,
    evictionHard: THRESHOLD,
    evictionMinimumReclaim: THRESHOLD,
    evictionSoft: THRESHOLD,
    evictionSoftGracePeriod: like(DURATION, "a duration, as in 1m30s"),
    hairpinMode: oneOf("promiscuous-bridge", "hairpin-veth", "none"),
    healthzBindAddress: ADDRESS,
    healthzPort: PORT,
    imageGCHighThresholdPercent: PERCENT,
    imageGCLowThresholdPercent: PERCENT,
    imagePullCredentialsVerificationPolicy: oneOf(
      ...["NeverVerify", "NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages", "AlwaysVerify"],
    ),
    iptablesDropBit: range(0, 31),
    iptablesMasqueradeBit: range(0, 31),
    kubeAPIBurst: COUNT,
    kubeAPIQPS: COUNT,
    kubeReserved: QUANTITY,
    maxOpenFiles: COUNT,
    maxParallelImagePulls: range(1),
    maxPods: COUNT,
    memoryManagerPolicy: oneOf("None", "Static"),
    memoryThrottlingFactor: range(0, 1),
    nodeLeaseDurationSeconds: COUNT,
    nodeStatusMaxImages: range(-1),
    oomScoreAdj: range(-1000, 1000),
    podLogsDir: like(/^\//, "an absolute path"),
    podsPerCore: COUNT,
    qosReserved: like(/^\d+%$/, "a percentage, as in 50%"),
    readOnlyPort: PORT,
    registryBurst: COUNT,
    registryPullQPS: COUNT,
    systemReserved: QUANTITY,
    tlsMinVersion: oneOf("VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"),
    topologyManagerPolicy: oneOf("none", "best-effort", "restricted", "single-numa-node"),
    topologyManagerScope: oneOf("container", "pod"),
  },
  LoggingConfiguration: { format: oneOf("text", "json") },
  MemorySwapConfiguration: { swapBehavior: oneOf("LimitedSwap", "NoSwap") },
  ClientConnectionConfiguration: { burst: COUNT },
  KubeProxyConfiguration: {
    bindAddress: ADDRESS,
    detectLocalMode: oneOf("ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix"),
    healthzBindAddress: ENDPOINT,
    metricsBindAddress: ENDPOINT,
    mode: oneOf("iptables", "ipvs", "nftables"),
    nodePortAddresses: (value) => (value === "primary" ? undefined : CIDR(value)),
    oomScoreAdj: range(-1000, 1000),
  },
  KubeProxyConntrackConfiguration: { maxPerCore: COUNT, min: COUNT },
  KubeProxyIPTablesConfiguration: { masqueradeBit: range(0, 31) },
  KubeProxyIPVSConfiguration: { excludeCIDRs: CIDR },
  KubeProxyNFTablesConfiguration: { masqueradeBit: range(0, 31) },
};
