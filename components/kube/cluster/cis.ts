import type { Fields } from "../objects/object";
import { parseVersion } from "./version";

/**
 * Requirements of the CIS Benchmark for Kubernetes that kubeadm does not fulfil by itself, as data. docs/hardening.md
 * says what each part gives, and what of the benchmark is left out.
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

/** The API servers of older ones take no list of paths for anonymous requests. */
const OLDEST_MINOR = 32;

/** Returns the reason why a cluster cannot be hardened. @param setting the name of that which says its version */
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

/** The audit policy of a cluster that has none of its own: who did what, without contents of requests. */
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
 * The admission of a cluster that has none of its own: the Pod Security Standard `baseline` for namespaces that carry
 * no label of another one. kubeadm's own pods, and those of cloud providers, are in kube-system.
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
 * Anonymous requests for these paths alone. The first three are for the probes of kubelets, of load balancers and of
 * kubeadm, the last one is what a node reads before it joins.
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
 * A part of the kubelet's unit: files that kubeadm and packages leave readable for everybody become root's alone each
 * time the kubelet starts, so after kubeadm has written them anew too.
 */
export const KUBELET_DROP_IN = `[Service]
ExecStartPre=-/bin/sh -c 'chmod -f go-rwx /var/lib/kubelet/config.yaml /etc/systemd/system/kubelet.service /etc/systemd/system/kubelet.service.d/*.conf /lib/systemd/system/kubelet.service /lib/systemd/system/kubelet.service.d/*.conf'
ExecStartPre=-/bin/sh -c 'find /etc/kubernetes/pki -type f -exec chmod go-rwx {} +'
`;
