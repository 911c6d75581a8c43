import type { Place } from "../base/findings";
import { NODE_PORT_ARGUMENT, parseNodePorts } from "../kube/cluster/node-ports";
import { parseVersion } from "../kube/cluster/version";
import { own } from "../base/own";
import {
  argumentProblem,
  cipherProblem,
  gateProblem,
  pluginProblem,
  tlsVersionProblem,
  type ProgramName,
} from "./component-tables";

/** Arguments of a component by their names. */
type Arguments = readonly (readonly [name: string, value: string])[];

/** The Kubernetes version of a component, and the files that kubeadm mounts into its pod. */
interface Surroundings {
  /** Version of Kubernetes, such as `v1.33.0`. Undefined: the settings do not have one. */
  readonly version: string | undefined;
  /** Folders and files of the node in the pod, in addition to those of kubeadm. Undefined: not known. */
  readonly mounts: readonly string[] | undefined;
  /** Names of arguments that vnfm sets because of other settings. */
  readonly others: ReadonlySet<string>;
  /** The setting with the arguments. */
  readonly place: Place;
}

/** Folders of the node that kubeadm mounts into the pods of the API server and the controller manager. */
const MOUNTED_BY_KUBEADM = [
  "/etc/kubernetes/pki",
  "/etc/ssl/certs",
  "/etc/ca-certificates",
  "/etc/pki",
  "/usr/share/ca-certificates",
  "/usr/local/share/ca-certificates",
];

/** Arguments whose value is the path of a file to read. */
const OF_FILE =
  /-(file|cafile|certfile|keyfile)$|^(authentication-|authorization-|encryption-provider-)?config$/;

/** Arguments whose files kubeadm sets, or another check refuses. */
const OF_KUBEADM = ["etcd-cafile", "etcd-certfile", "etcd-keyfile", "tls-cert-file", "tls-private-key-file"];

/** Settings of `apiServer` that write a file and set the argument with its path, by argument. */
const SETTINGS: Readonly<Record<string, string>> = {
  "admission-control-config-file": "apiServer.admissionConfiguration",
  "audit-policy-file": "apiServer.auditPolicy",
  "encryption-provider-config": "apiServer.encryptionKeys",
};

/**
 * Records arguments with which a component does not start; otherwise the error would show only on an existing server.
 */
export function checkArgumentValues(
  program: ProgramName,
  args: Arguments,
  { version, mounts, others, place }: Surroundings,
): void {
  const minor = parseVersion(version)?.minor;
  const byName = new Map(args);
  const fault = (name: string, problem: string | undefined): void => {
    if (problem !== undefined) place.fault(`has ${name}, which ${problem}`);
  };
  for (const [name, value] of args) {
    fault(name, argumentProblem(program, name, minor));
    for (const [part, problem] of valueProblems(name, value, minor))
      if (problem !== undefined) place.fault(`has ${name} with ${part}, which ${problem}`);
    if (OF_FILE.test(name) && !OF_KUBEADM.includes(name) && !others.has(name))
      fault(name, fileProblem(value, mounts, own(SETTINGS, name)));
  }
  if (program === "kube-apiserver") checkTogether(byName, others, place);
}

/** The reasons why a component does not start with a value, by the part of the value, such as a feature gate. */
function valueProblems(
  name: string,
  value: string,
  minor: number | undefined,
): (readonly [part: string, problem: string | undefined])[] {
  const parts = value.split(",").map((part) => part.trim());
  switch (name) {
    case "feature-gates":
      return parts.filter(Boolean).map((part) => {
        const [gate = "", is = ""] = part.split("=");
        return [gate, gateProblem(gate, is, minor)];
      });
    case "enable-admission-plugins":
    case "disable-admission-plugins":
    case "admission-control":
      return parts.map((part) => [part, pluginProblem(part, minor)]);
    case "tls-min-version":
      return [[value, tlsVersionProblem(value)]];
    case "tls-cipher-suites":
      return parts.map((part) => [part, cipherProblem(part)]);
    case "oidc-issuer-url":
      return [[value, /^https:\/\/./.test(value) ? undefined : "is not an https:// URL"]];
    case NODE_PORT_ARGUMENT:
      return [[value, parseNodePorts(value) ? undefined : "is not a range of ports, as in 30000-32767"]];
    case "authorization-mode":
      return parts.map((part) => [
        part,
        MODES.includes(part) ? undefined : `is not a mode; use one of ${MODES.join(", ")}`,
      ]);
    default:
      return [];
  }
}

const MODES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"];

/** Records arguments of the API server that require or exclude each other. */
function checkTogether(args: ReadonlyMap<string, string>, others: ReadonlySet<string>, place: Place): void {
  const isSet = (name: string) => args.has(name) || others.has(name);
  const listOf = (name: string) => (args.get(name) ?? "").split(",").map((part) => part.trim());
  const both = listOf("enable-admission-plugins").filter(
    (plugin) => plugin !== "" && listOf("disable-admission-plugins").includes(plugin),
  );
  for (const plugin of both)
    place.fault(
      `has ${plugin} in enable-admission-plugins and in disable-admission-plugins; remove it from one`,
    );
  const hasOidc = [...args.keys()].some((name) => name.startsWith("oidc-"));
  if (args.has("authentication-config") && (hasOidc || others.has("oidc-issuer-url")))
    place.fault(
      "has authentication-config, which kube-apiserver rejects together with arguments of OpenID Connect; remove one of the two",
    );
  for (const name of ["oidc-issuer-url", "oidc-client-id"])
    if (hasOidc && !isSet(name)) place.fault(`has arguments of OpenID Connect without ${name}; set it too`);
  const modes = listOf("authorization-mode");
  for (const [mode, file] of [
    ["Webhook", "authorization-webhook-config-file"],
    ["ABAC", "authorization-policy-file"],
  ] as const)
    if (modes.includes(mode) && !isSet(file))
      place.fault(`has authorization-mode with ${mode}, which needs ${file}; set it too`);
}

/** Returns the reason why a component in a pod cannot read a file of its node. */
function fileProblem(
  path: string,
  mounts: readonly string[] | undefined,
  setting: string | undefined,
): string | undefined {
  if (path === "" || path === "-") return undefined;
  if (!path.startsWith("/")) return `is not an absolute path: ${path}`;
  if (mounts === undefined) return undefined;
  const isMounted = [...MOUNTED_BY_KUBEADM, ...mounts].some(
    (mount) => path === mount || path.startsWith(`${mount.replace(/\/+$/, "")}/`),
  );
  return isMounted
    ? undefined
    : `refers to ${path}, a file that is not in the component's pod; ` +
        (setting === undefined
          ? "put it into /etc/kubernetes/pki of each machine, or mount it"
          : `set ${setting} instead, or mount it`);
}
