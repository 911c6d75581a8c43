import { didYouMean } from "../base/nearest";
import { own } from "../base/own";
import table from "./component-tables.json";

/** By name of a gate, plugin or argument: the first and the last minor version of Kubernetes with it. */
type Spans = Readonly<Record<string, readonly number[]>>;

const [OLDEST, NEWEST] = table.minors as [number, number];
const GATES = table.gates as Spans;
const KUBEADM_GATES = table.kubeadmGates as Spans;
const PLUGINS = table.admissionPlugins as Spans;
const ARGUMENTS = table.arguments as Readonly<Record<ProgramName, Spans>>;
const LOCKED = table.locked as Readonly<Record<"true" | "false", Spans>>;

/** A Kubernetes program whose arguments are in the table. */
export type ProgramName = keyof typeof table.arguments;

/** TLS versions of every Kubernetes release. */
const TLS_VERSIONS = ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"];

/** Cipher suites of Go's crypto/tls, and two older names that component-base adds (cli/flag/ciphersuites_flag.go). */
const CIPHER_SUITES = [
  ...["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"],
  ...["ECDHE_ECDSA", "ECDHE_RSA"].flatMap((exchange) =>
    [
      ...["AES_128_CBC_SHA", "AES_128_CBC_SHA256", "AES_128_GCM_SHA256", "AES_256_CBC_SHA"],
      ...["AES_256_GCM_SHA384", "CHACHA20_POLY1305", "CHACHA20_POLY1305_SHA256", "RC4_128_SHA"],
    ].map((cipher) => `TLS_${exchange}_WITH_${cipher}`),
  ),
  "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
  ...[
    "3DES_EDE_CBC_SHA",
    "AES_128_CBC_SHA",
    "AES_128_CBC_SHA256",
    "AES_128_GCM_SHA256",
    "AES_256_CBC_SHA",
  ].map((cipher) => `TLS_RSA_WITH_${cipher}`),
  ...["TLS_RSA_WITH_AES_256_GCM_SHA384", "TLS_RSA_WITH_RC4_128_SHA"],
];

/**
 * Returns the reason why a component does not start with a feature gate.
 * @param minor version of Kubernetes; undefined: any version of the table
 */
export function gateProblem(
  name: string,
  value: string,
  minor: number | undefined,
  of: "kubeadm" | "components" = "components",
): string | undefined {
  const problem = nameProblem(name, of === "kubeadm" ? KUBEADM_GATES : GATES, minor, "a feature gate");
  if (problem !== undefined) return problem;
  const [isOn, isOff] = [/^(true|t|1)$/i.test(value), /^(false|f|0)$/i.test(value)];
  if (!isOn && !isOff) return `"${value}" is neither true nor false`;
  const locked = own(LOCKED[isOn ? "false" : "true"], name);
  return of === "components" && locked !== undefined && minor !== undefined && isIn(locked, minor)
    ? `is always ${isOn ? "false" : "true"} in Kubernetes 1.${minor}; remove it`
    : undefined;
}

/** Returns the reason why the API server does not start with an admission plugin. */
export function pluginProblem(name: string, minor: number | undefined): string | undefined {
  return nameProblem(name, PLUGINS, minor, "an admission plugin");
}

/** Returns the reason why a component does not start with an argument of that name. */
export function argumentProblem(
  program: ProgramName,
  name: string,
  minor: number | undefined,
): string | undefined {
  if (/^-/.test(name)) return `is written without dashes, as ${name.replace(/^-+/, "")}`;
  // components take an underscore for a dash
  return nameProblem(name.replaceAll("_", "-"), ARGUMENTS[program], minor, `an argument of ${program}`);
}

/** Returns the reason why a component does not start with a version of TLS. */
export function tlsVersionProblem(value: string): string | undefined {
  return value === "" || TLS_VERSIONS.includes(value)
    ? undefined
    : `is not one of ${TLS_VERSIONS.join(", ")}`;
}

/** Returns the reason why a component does not start with a cipher suite. */
export function cipherProblem(name: string): string | undefined {
  return name === "" || CIPHER_SUITES.includes(name)
    ? undefined
    : `is not a cipher suite of Go${didYouMean(name, CIPHER_SUITES)}`;
}

/**
 * Returns the reason why a version does not have a gate, plugin or argument. A version outside of the table may have
 * any.
 */
function nameProblem(
  name: string,
  known: Spans,
  minor: number | undefined,
  what: string,
): string | undefined {
  if (minor !== undefined && (minor < OLDEST || minor > NEWEST)) return undefined;
  const span = own(known, name);
  if (span === undefined)
    return `is not ${what} of Kubernetes 1.${OLDEST} to 1.${NEWEST}${didYouMean(name, Object.keys(known))}`;
  if (minor === undefined || isIn(span, minor)) return undefined;
  const [first, last] = span as [number, number];
  return minor < first
    ? `is ${what} of Kubernetes 1.${first} and newer; remove it, or use that version`
    : `is not ${what} from Kubernetes 1.${last + 1} on; remove it`;
}

function isIn([first = 0, last = 0]: readonly number[], minor: number): boolean {
  return first <= minor && minor <= last;
}
