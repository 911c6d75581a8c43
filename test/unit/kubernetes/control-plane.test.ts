import { parse } from "yaml";
import { hardeningProblem } from "../../../components/kube/cluster/cis";
import { checkDuplicateArguments, securityConfig } from "../../../components/kube/cluster/control-plane";
import { placeOf } from "../places";

const PLAIN = { isEncrypted: false, otherArgs: [] };
const CIS = { ...PLAIN, hardening: "cis", isEncrypted: true } as const;

const fileOf = (config: ReturnType<typeof securityConfig>, name: string): unknown =>
  parse(config.apiServer.files.find(({ path }) => path === `/etc/kubernetes/${name}.yaml`)?.content ?? "");

test("without such settings kubeadm is told nothing", () => {
  expect(securityConfig(PLAIN)).toEqual({
    apiServer: { args: {}, volumes: [], files: [] },
    ...{ controllerManagerArgs: {}, schedulerArgs: {}, kubelet: {}, nodeFiles: [] },
  });
});

test("the API server reads the policies that are given", () => {
  const admissionConfiguration = { plugins: [{ name: "PodSecurity" }] };
  const config = securityConfig({
    ...PLAIN,
    auditPolicy: { rules: [{ level: "Metadata" }] },
    admissionConfiguration,
  });
  expect(config.apiServer.args).toEqual({
    "admission-control-config-file": "/etc/kubernetes/admission.yaml",
    "audit-log-maxage": "30",
    "audit-log-maxbackup": "10",
    "audit-log-maxsize": "100",
    "audit-log-path": "/var/log/kubernetes/audit/audit.log",
    "audit-policy-file": "/etc/kubernetes/audit-policy.yaml",
  });
  expect(config.apiServer.volumes.map(({ name }) => name)).toEqual([
    "audit-policy",
    "audit-logs",
    "admission",
  ]);
  expect(fileOf(config, "audit-policy")).toEqual({
    ...{ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] },
  });
  expect(fileOf(config, "admission")).toEqual({
    ...{ apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration" },
    ...admissionConfiguration,
  });
});

test("cis has an audit, baseline for pods, no profiling, and anonymous requests for health checks and joins alone", () => {
  const config = securityConfig(CIS);
  expect(config.apiServer.args).toEqual({
    "admission-control-config-file": "/etc/kubernetes/admission.yaml",
    "audit-log-maxage": "30",
    "audit-log-maxbackup": "10",
    "audit-log-maxsize": "100",
    "audit-log-path": "/var/log/kubernetes/audit/audit.log",
    "audit-policy-file": "/etc/kubernetes/audit-policy.yaml",
    "authentication-config": "/etc/kubernetes/authentication.yaml",
    "encryption-provider-config": "/etc/kubernetes/encryption.yaml",
    profiling: "false",
    "tls-cipher-suites": [
      "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
      "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
    ].join(","),
  });
  expect(config.controllerManagerArgs).toEqual({ profiling: "false" });
  expect(config.schedulerArgs).toEqual({ profiling: "false" });
  expect(config.kubelet).toMatchObject({
    ...{ eventRecordQPS: 50, podPidsLimit: 4096, readOnlyPort: 0, seccompDefault: true },
    streamingConnectionIdleTimeout: "5m0s",
  });
  expect(fileOf(config, "admission")).toMatchObject({
    plugins: [
      {
        name: "PodSecurity",
        configuration: {
          defaults: { enforce: "baseline" },
          exemptions: { usernames: [], runtimeClasses: [], namespaces: ["kube-system"] },
        },
      },
    ],
  });
  expect(fileOf(config, "authentication")).toEqual({
    ...{ apiVersion: "apiserver.config.k8s.io/v1beta1", kind: "AuthenticationConfiguration" },
    anonymous: {
      enabled: true,
      conditions: [
        { path: "/healthz" },
        { path: "/livez" },
        { path: "/readyz" },
        { path: "/api/v1/namespaces/kube-public/configmaps/cluster-info" },
      ],
    },
  });
  // that of the encryption has secrets in it
  expect(config.apiServer.files.map(({ path, permissions }) => [path, permissions])).toEqual(
    ["audit-policy", "admission", "authentication"].map((name) => [`/etc/kubernetes/${name}.yaml`, "0600"]),
  );
  expect(config.nodeFiles.map(({ path }) => path)).toEqual([
    "/etc/systemd/system/kubelet.service.d/20-file-modes.conf",
  ]);
});

test.each(["oidc-issuer-url", "anonymous-auth", "authentication-config"])(
  "beside %s the API server would refuse an AuthenticationConfiguration",
  (arg) => {
    const { apiServer } = securityConfig({ ...CIS, otherArgs: [arg] });
    expect(apiServer.args).not.toHaveProperty("authentication-config");
    expect(apiServer.volumes.map(({ name }) => name)).not.toContain("authentication");
  },
);

test("an argument that a setting is for is said once", () => {
  const otherArgs = ["v", "audit-policy-file", "encryption-provider-config"];
  const place = placeOf("args");
  checkDuplicateArguments({ ...PLAIN, otherArgs }, place);
  expect(place.findings.texts).toEqual([]);
  checkDuplicateArguments({ ...CIS, otherArgs }, place);
  expect(place.findings.texts).toEqual([
    "args: has audit-policy-file, which apiServer.auditPolicy sets; remove it",
    "args: has encryption-provider-config, which apiServer.encryptionKeys sets; remove it",
  ]);
});

test("cis needs a version that is known and new enough", () => {
  expect(hardeningProblem("v1.32.0", "version")).toBeUndefined();
  expect(hardeningProblem("v1.31.9", "version")).toBe(
    "cis requires version v1.32.0 or newer, and it is v1.31.9; set it, or remove hardening",
  );
  expect(hardeningProblem(undefined, "version")).toBe(
    "cis requires version v1.32.0 or newer, and it is not set; set it, or remove hardening",
  );
});
