import { checkArgumentValues } from "../../../components/settings/component-arguments";
import { recorded } from "../places";

interface Options {
  readonly version?: string | undefined;
  readonly mounts?: readonly string[] | undefined;
  readonly others?: readonly string[];
  readonly program?: Parameters<typeof checkArgumentValues>[0];
}

const faults = (args: Readonly<Record<string, string>>, options: Options = {}) => {
  const { version, mounts, others, program } = {
    ...{ version: "v1.33.0", mounts: [], others: [], program: "kube-apiserver" as const },
    ...options,
  };
  return recorded((findings) =>
    checkArgumentValues(program, Object.entries(args), {
      ...{ version, mounts, others: new Set(others) },
      place: findings.instance("a"),
    }),
  ).map((fault) => fault.replace("vnfm:vnfs.a: has ", ""));
};

it.each<[Record<string, string>, string[]]>([
  [{ "--v": "2" }, ["--v, which is written without dashes, as v"]],
  [
    { "insecure-port": "0" },
    [
      'insecure-port, which is not an argument of kube-apiserver of Kubernetes 1.31 to 1.37; did you mean "secure-port"?',
    ],
  ],
  [
    { "cloud-provider": "external" },
    ["cloud-provider, which is not an argument of kube-apiserver from Kubernetes 1.33 on; remove it"],
  ],
  [
    { "tls-curve-preferences": "X25519" },
    [
      "tls-curve-preferences, which is an argument of kube-apiserver of Kubernetes 1.36 and newer; remove it, or use that version",
    ],
  ],
  [
    { "enable-admission-plugins": "NodeRestriction,PodSecurityPolicy,LimitRangr" },
    [
      'enable-admission-plugins with PodSecurityPolicy, which is not an admission plugin of Kubernetes 1.31 to 1.37; did you mean "PodSecurity"?',
      'enable-admission-plugins with LimitRangr, which is not an admission plugin of Kubernetes 1.31 to 1.37; did you mean "LimitRanger"?',
    ],
  ],
  [
    { "enable-admission-plugins": "PodSecurity", "disable-admission-plugins": "PodSecurity" },
    ["PodSecurity in enable-admission-plugins and in disable-admission-plugins; remove it from one"],
  ],
  [
    { "feature-gates": "Nope=true,CoordinatedLeaderElection=maybe" },
    [
      "feature-gates with Nope, which is not a feature gate of Kubernetes 1.31 to 1.37",
      'feature-gates with CoordinatedLeaderElection, which "maybe" is neither true nor false',
    ],
  ],
  [
    { "tls-min-version": "TLS12" },
    [
      "tls-min-version with TLS12, which is not one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13",
    ],
  ],
  [{ "tls-cipher-suites": "AES" }, ["tls-cipher-suites with AES, which is not a cipher suite of Go"]],
  [
    { "oidc-issuer-url": "http://login.example" },
    [
      "oidc-issuer-url with http://login.example, which is not an https:// URL",
      "arguments of OpenID Connect without oidc-client-id; set it too",
    ],
  ],
  [
    { "authorization-mode": "Node,RBAC,Webhook,Other" },
    [
      "authorization-mode with Other, which is not a mode; use one of ABAC, AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook",
      "authorization-mode with Webhook, which needs authorization-webhook-config-file; set it too",
    ],
  ],
  [
    { "service-node-port-range": "32767-30000" },
    ["service-node-port-range with 32767-30000, which is not a range of ports, as in 30000-32767"],
  ],
  [
    { "audit-policy-file": "/etc/kubernetes/audit.yaml" },
    [
      "audit-policy-file, which refers to /etc/kubernetes/audit.yaml, a file that is not in the component's pod; set apiServer.auditPolicy instead, or mount it",
    ],
  ],
  [
    { "tracing-config-file": "/etc/kubernetes/pkix/tracing.yaml" },
    [
      "tracing-config-file, which refers to /etc/kubernetes/pkix/tracing.yaml, a file that is not in the component's pod; put it into /etc/kubernetes/pki of each machine, or mount it",
    ],
  ],
  [
    { "tracing-config-file": "tracing.yaml" },
    ["tracing-config-file, which is not an absolute path: tracing.yaml"],
  ],
])("an API server with %j does not start", (args, expected) => {
  expect(faults(args)).toEqual(expected);
});

it.each<[Record<string, string>, Options]>([
  [{ v: "2", audit_log_path: "-", "event-ttl": "2h" }, {}],
  [{ "enable-admission-plugins": "NodeRestriction,AlwaysPullImages", "feature-gates": "AllAlpha=true" }, {}],
  [{ "audit-policy-file": "/etc/audit/policy.yaml" }, { mounts: ["/etc/audit/"] }],
  [{ "audit-policy-file": "/etc/audit/policy.yaml" }, { mounts: undefined }],
  [{ "audit-policy-file": "/a" }, { others: ["audit-policy-file"] }],
  [
    { "oidc-ca-file": "/etc/kubernetes/pki/oidc.crt", "oidc-issuer-url": "https://a", "oidc-client-id": "b" },
    {},
  ],
  [{ "oidc-required-claim": "a=b" }, { others: ["oidc-issuer-url", "oidc-client-id"] }],
  [{ "some-new": "1", "feature-gates": "Nope=true" }, { version: "v1.60.0" }],
  [{ "cloud-provider": "external" }, { version: undefined }],
  [{ "node-monitor-period": "2s" }, { program: "kube-controller-manager" }],
  [{ config: "/etc/scheduler/a.yaml" }, { program: "kube-scheduler", mounts: ["/etc/scheduler/a.yaml"] }],
])("a component with %j, of %j, starts", (args, options) => {
  expect(faults(args, options)).toEqual([]);
});
