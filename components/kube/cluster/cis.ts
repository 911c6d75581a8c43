import type { Fields } from "../objects/object";
import { parseVersion } from "./version";

/**
 * Requirements of the CIS Benchmark for Kubernetes that kubeadm does not fulfil by itself, as data. docs/hardening.md
 * describes the effect of each part, and what is left out.
 */

/** Ciphers of TLS 1.2 that are in the benchmark's lists of the API server and of the kubelet; TLS 1.3 has its own. */
const CIPHERS = [
  "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
  "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
];

/** Oldest minor version with a setting for the paths of anonymous requests. */
const OLDEST_MINOR = 32;

/** Returns the reason why a cluster cannot be hardened. @param setting name of the setting with its version */
export function hardeningProblem(version: string | undefined, setting: string): string | undefined {
  const minor = parseVersion(version)?.minor;
  if (minor !== undefined && minor >= OLDEST_MINOR) return undefined;
  const has = version === undefined ? "it is not set" : `it is ${version}`;
  return `cis requires ${setting} v1.${OLDEST_MINOR}.0 or newer, and ${has}; set it, or remove hardening`;
}

export const API_SERVER_ARGS = { profiling: "false", "tls-cipher-suites": CIPHERS.join(",") };
export const CONTROLLER_MANAGER_ARGS = { profiling: "false" };
export const SCHEDULER_ARGS = { profiling: "false" };

/** A KubeletConfiguration without apiVersion and kind. */
export const KUBELET: Fields = {
  eventRecordQPS: 50,
  podPidsLimit: 4096,
  readOnlyPort: 0,
  seccompDefault: true,
  streamingConnectionIdleTimeout: "5m0s",
  tlsCipherSuites: CIPHERS,
};

/** Audit policy of a cluster without its own: it logs metadata, without the contents of requests. */
export const AUDIT_POLICY: Fields = {
  omitStages: ["RequestReceived"],
  rules: [
    { level: "None", nonResourceURLs: ["/healthz*", "/livez*", "/readyz*"] },
    // each node and each controller renews its lease every few seconds
    { level: "None", resources: [{ group: "coordination.k8s.io", resources: ["leases"] }] },
    { level: "Metadata" },
  ],
};

/**
 * Admission configuration of a cluster without its own: the Pod Security Standard `baseline` for namespaces without a
 * label for another one. kubeadm's pods, and those of cloud providers, are in kube-system.
 */
export const ADMISSION: Fields = {
  plugins: [
    {
      name: "PodSecurity",
      configuration: {
        apiVersion: "pod-security.admission.config.k8s.io/v1",
        kind: "PodSecurityConfiguration",
        defaults: {
          ...{ enforce: "baseline", "enforce-version": "latest" },
          ...{ audit: "baseline", "audit-version": "latest" },
          ...{ warn: "baseline", "warn-version": "latest" },
        },
        exemptions: { usernames: [], runtimeClasses: [], namespaces: ["kube-system"] },
      },
    },
  ],
};

/**
 * Authentication that allows anonymous requests only for these paths. The first three are for probes of kubelets, load
 * balancers and kubeadm; a node reads the last one before it joins.
 */
export const AUTHENTICATION: Fields = {
  anonymous: {
    enabled: true,
    conditions: [
      "/healthz",
      "/livez",
      "/readyz",
      "/api/v1/namespaces/kube-public/configmaps/cluster-info",
    ].map((path) => ({ path })),
  },
};

/**
 * Drop-in of the kubelet's unit. At each start of the kubelet, it makes files readable only for root that kubeadm and
 * packages leave readable for all users, also after kubeadm has written them again.
 */
export const KUBELET_DROP_IN = `[Service]
ExecStartPre=-/bin/sh -c 'chmod -f go-rwx /var/lib/kubelet/config.yaml /etc/systemd/system/kubelet.service /etc/systemd/system/kubelet.service.d/*.conf /lib/systemd/system/kubelet.service /lib/systemd/system/kubelet.service.d/*.conf'
ExecStartPre=-/bin/sh -c 'find /etc/kubernetes/pki -type f -exec chmod go-rwx {} +'
`;
