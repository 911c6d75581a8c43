import type { Place } from "../../base/findings";
import { toYaml } from "../../base/yaml/yaml";
import { own } from "../../base/own";
import type { Secret } from "../../base/secret";
import * as cis from "./cis";
import { ENCRYPTION } from "./encryption";
import { KEYSTONE_ARGS, KEYSTONE_WEBHOOK } from "./keystone";
import { OIDC_ARGS, OIDC_CA, oidcArgs, type OpenIdConnect } from "./oidc";
import type { Fields } from "../objects/object";

/** Default port of kube-apiserver. */
export const API_SERVER_PORT = 6443;

/** Settings of the API server that kubeadm clusters and workload clusters have in common. */
export interface ApiServerSecurity {
  /** An audit Policy without apiVersion and kind. */
  readonly auditPolicy?: Fields;
  /** An AdmissionConfiguration without apiVersion and kind. */
  readonly admissionConfiguration?: Fields;
  /** Keys of 32 bytes in base64. The first one encrypts. */
  readonly encryptionKeys?: readonly Secret[];
  readonly oidc?: OpenIdConnect;
  /** Undefined: the API server rejects Keystone's tokens. */
  readonly keystone?: object;
}

/** Name of the benchmark that hardens a cluster. */
export type Hardening = "cis";

/** A file of a node, owned by root. */
export interface NodeFile {
  readonly path: string;
  /** File mode in octal, such as `0600`. */
  readonly permissions: string;
  readonly content: string;
}

/** Configuration of the control plane and of kubelets for kubeadm, and the files that they read. */
export interface SecurityConfig {
  readonly apiServer: {
    readonly args: Readonly<Record<string, string>>;
    /** Volumes of kube-apiserver's pod, as kubeadm's HostPathMounts. */
    readonly volumes: readonly Fields[];
    /** Files of control-plane nodes, without the encryption configuration, which contains secrets. */
    readonly files: readonly NodeFile[];
  };
  readonly controllerManagerArgs: Readonly<Record<string, string>>;
  readonly schedulerArgs: Readonly<Record<string, string>>;
  /** Fields of a KubeletConfiguration. */
  readonly kubelet: Fields;
  /** Files of all nodes. */
  readonly nodeFiles: readonly NodeFile[];
}

export interface SecuritySettings extends ApiServerSecurity {
  readonly hardening?: Hardening | undefined;
  /** True if Secrets are encrypted in etcd. */
  readonly isEncrypted: boolean;
  /** Names of kube-apiserver arguments that other settings set. */
  readonly otherArgs: readonly string[];
}

const AUDIT_LOGS = "/var/log/kubernetes/audit";

/** Returns the security configuration of a cluster; empty without such settings. */
export function securityConfig(settings: SecuritySettings): SecurityConfig {
  const isCis = settings.hardening === "cis";
  const read = filesToRead(settings);
  const args = {
    ...(settings.oidc && oidcArgs(settings.oidc)),
    ...(settings.keystone && KEYSTONE_ARGS),
    ...Object.fromEntries(read.map(({ arg, path }) => [arg, path])),
    ...(read.some(({ name }) => name === "audit-policy") && {
      "audit-log-path": `${AUDIT_LOGS}/audit.log`,
      "audit-log-maxage": "30",
      "audit-log-maxbackup": "10",
      "audit-log-maxsize": "100",
    }),
    ...(isCis && cis.API_SERVER_ARGS),
  };
  return {
    apiServer: {
      args,
      volumes: read.flatMap(({ name, path }) => [
        fileVolume(name, path),
        ...(name === "audit-policy"
          ? [
              {
                ...{ name: "audit-logs", hostPath: AUDIT_LOGS, mountPath: AUDIT_LOGS },
                pathType: "DirectoryOrCreate",
              },
            ]
          : []),
      ]),
      files: read.flatMap(({ path, content }): NodeFile[] => {
        if (content === undefined) return [];
        return typeof content === "string"
          ? [{ path, permissions: "0644", content }]
          : [{ path, permissions: "0600", content: toYaml(content) }];
      }),
    },
    controllerManagerArgs: isCis ? cis.CONTROLLER_MANAGER_ARGS : {},
    schedulerArgs: isCis ? cis.SCHEDULER_ARGS : {},
    kubelet: isCis ? cis.KUBELET : {},
    nodeFiles: isCis
      ? [
          {
            path: "/etc/systemd/system/kubelet.service.d/20-file-modes.conf",
            permissions: "0600",
            content: cis.KUBELET_DROP_IN,
          },
        ]
      : [],
  };
}

/** Returns a volume of kube-apiserver's pod with a file of its machine. */
export function fileVolume(name: string, path: string): Fields {
  return { name, hostPath: path, mountPath: path, readOnly: true, pathType: "File" };
}

const ARG_OF_SETTING = {
  auditPolicy: "audit-policy-file",
  admissionConfiguration: "admission-control-config-file",
  encryptionKeys: "encryption-provider-config",
} satisfies Partial<Record<keyof ApiServerSecurity, string>>;

/**
 * Records arguments of kube-apiserver that `apiServer` settings set too.
 * @param place of the arguments
 */
export function checkDuplicateArguments(settings: SecuritySettings, place: Place): void {
  const { apiServer } = securityConfig(settings);
  for (const [setting, arg] of Object.entries(ARG_OF_SETTING))
    if (own(apiServer.args, arg) !== undefined && settings.otherArgs.includes(arg))
      place.fault(`has ${arg}, which apiServer.${setting} sets; remove it`);
  const ofUsers = { oidc: OIDC_ARGS, keystone: Object.keys(KEYSTONE_ARGS) };
  for (const setting of ["oidc", "keystone"] as const)
    for (const arg of settings[setting] === undefined ? [] : ofUsers[setting])
      if (settings.otherArgs.includes(arg))
        place.fault(`has ${arg}, which apiServer.${setting} sets; remove it`);
}

/**
 * Returns true if other settings configure authentication: kube-apiserver then rejects an AuthenticationConfiguration.
 */
function authenticates({ oidc, otherArgs }: SecuritySettings): boolean {
  const isOne = (name: string) =>
    name === "anonymous-auth" || name === "authentication-config" || name.startsWith("oidc-");
  return oidc !== undefined || otherArgs.some(isOne);
}

interface FileToRead {
  /** Name of the volume with the file. */
  readonly name: string;
  /** The argument of kube-apiserver for the path of the file. */
  readonly arg: string;
  readonly path: string;
  /** Content: a configuration, or certificates. Undefined: the file is created elsewhere. */
  readonly content: Fields | string | undefined;
}

/** The files that kube-apiserver reads for its settings. */
function filesToRead(settings: SecuritySettings): FileToRead[] {
  const isCis = settings.hardening === "cis";
  const {
    auditPolicy = isCis ? cis.AUDIT_POLICY : undefined,
    admissionConfiguration = isCis ? cis.ADMISSION : undefined,
  } = settings;
  const files: FileToRead[] = [];
  if (auditPolicy !== undefined)
    files.push({
      ...{ name: "audit-policy", arg: "audit-policy-file", path: "/etc/kubernetes/audit-policy.yaml" },
      content: { apiVersion: "audit.k8s.io/v1", kind: "Policy", ...auditPolicy },
    });
  if (settings.isEncrypted)
    files.push({
      ...{ name: "encryption", arg: "encryption-provider-config", path: ENCRYPTION },
      content: undefined,
    });
  if (admissionConfiguration !== undefined)
    files.push({
      ...{ name: "admission", arg: "admission-control-config-file", path: "/etc/kubernetes/admission.yaml" },
      content: {
        ...{ apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration" },
        ...admissionConfiguration,
      },
    });
  if (isCis && !authenticates(settings))
    files.push({
      ...{
        name: "authentication",
        arg: "authentication-config",
        path: "/etc/kubernetes/authentication.yaml",
      },
      content: {
        ...{ apiVersion: "apiserver.config.k8s.io/v1beta1", kind: "AuthenticationConfiguration" },
        ...cis.AUTHENTICATION,
      },
    });
  if (settings.oidc?.ca !== undefined)
    files.push({ name: "oidc-ca", arg: "oidc-ca-file", path: OIDC_CA, content: settings.oidc.ca });
  if (settings.keystone !== undefined)
    files.push({
      ...{ name: "keystone-webhook", arg: "authentication-token-webhook-config-file" },
      ...{ path: KEYSTONE_WEBHOOK, content: undefined },
    });
  return files;
}
