import { toYaml } from "../../base/yaml/yaml";
import { Fault } from "../../base/fault";
import { own } from "../../base/own";
import { currentContext } from "./api-access";
import { at, isFields, type Fields } from "../objects/object";
import { readYaml, type YamlFault } from "../manifests/yaml";

/**
 * Rewrites a kubeconfig from elsewhere, such as Cluster API or another stack, with only its harmless parts: of the
 * current context the names, the server, its CA and name, and a token or a client certificate, all inline. A kubeconfig
 * could also run programs, send files of this machine, or disable the verification of the server.
 *
 * @param kubeconfig value of any type, as read from a state
 * @param faults gets an error for each rejected field, without its value
 * @returns undefined, with errors, if it contains anything else or lacks a required field
 */
export function readForeignKubeconfig(kubeconfig: unknown, faults: string[]): string | undefined {
  const text = fresh(kubeconfig, faults);
  return faults.length > 0 ? undefined : text;
}

/** See readForeignKubeconfig. @param subject prefix of each error @throws Fault with all errors */
export function foreignKubeconfig(kubeconfig: unknown, subject: string): string {
  const faults: string[] = [];
  const text = readForeignKubeconfig(kubeconfig, faults);
  if (text === undefined) throw new Fault(faults.map((fault) => `${subject}: ${fault}`).join("\n"));
  return text;
}

/** Limit in characters; more than ten times the size of Cluster API's kubeconfigs. */
const MAX_LENGTH = 65_536;

type Part = "context" | "cluster" | "user";

interface Form {
  readonly test: (text: string) => boolean;
  /** Description of the form for messages, after "is not". */
  readonly description: string;
}

const NAME: Form = {
  test: (text) => /^[\x20-\x7e]{1,512}$/.test(text),
  description: "a name of printable characters of ASCII",
};
const SERVER: Form = {
  test: (text) => /^https:\/\/[\w.:[\]-]+(\/[\w./~-]*)?$/.test(text) && URL.canParse(text),
  description: "an https:// URL with only host, port and path",
};
const BASE64: Form = {
  test: (text) => /^[A-Za-z0-9+/]+={0,2}$/.test(text),
  description: "base64 on one line",
};
const TOKEN: Form = {
  test: (text) => /^[\x21-\x7e]+$/.test(text),
  description: "a token of printable characters of ASCII",
};

/** Fields that are read, with their forms. */
const TAKEN: Readonly<Record<Part, Readonly<Record<string, Form>>>> = {
  context: { cluster: NAME, user: NAME },
  cluster: { server: SERVER, "certificate-authority-data": BASE64, "tls-server-name": NAME },
  user: { token: TOKEN, "client-certificate-data": BASE64, "client-key-data": BASE64 },
};

/** Fields that are left out without an error: a client does the same without them. */
const NEEDLESS: Readonly<Record<Part, (key: string, value: unknown) => boolean>> = {
  context: (key, value) => key === "extensions" || (key === "namespace" && value === "default"),
  cluster: (key, value) =>
    ["extensions", "disable-compression"].includes(key) ||
    (key === "insecure-skip-tls-verify" && value === false),
  user: (key) => key === "extensions",
};

function fresh(kubeconfig: unknown, faults: string[]): string | undefined {
  const value = documentOf(kubeconfig, faults);
  if (value === undefined) return undefined;
  const name = at(value, "current-context");
  if (typeof name !== "string" || !NAME.test(name)) {
    faults.push(`current-context: is not ${NAME.description}`);
    return undefined;
  }
  const parts = currentContext(value);
  const context = taken("context", parts.context, faults);
  const cluster = taken("cluster", parts.cluster, faults);
  const user = taken("user", parts.user, faults);
  return toYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: context["cluster"], cluster }],
    users: [{ name: context["user"], user }],
    contexts: [{ name, context }],
    "current-context": name,
  });
}

function documentOf(kubeconfig: unknown, faults: string[]): Fields | undefined {
  if (typeof kubeconfig === "string" && kubeconfig.length > MAX_LENGTH) {
    faults.push(`has ${kubeconfig.length} characters; at most ${MAX_LENGTH} are allowed`);
    return undefined;
  }
  const broken: YamlFault[] = [];
  const documents = typeof kubeconfig === "string" ? readYaml(kubeconfig, broken) : [];
  const value = documents[0]?.value;
  if (broken.length === 0 && documents.length === 1 && isFields(value)) return value;
  // without the reader's message, which may quote the text
  const [line] = broken.flatMap((fault) => fault.line ?? []);
  faults.push(`is not a kubeconfig in YAML${line === undefined ? "" : `: see line ${line}`}`);
  return undefined;
}

/** Returns the allowed fields of a part. Other fields, and missing ones, are errors. */
function taken(part: Part, values: Fields, faults: string[]): Readonly<Record<string, string>> {
  const forms = TAKEN[part];
  const found: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (isEmpty(value) || NEEDLESS[part](key, value)) continue;
    const form = own(forms, key);
    if (form === undefined) {
      // arbitrary names are not printed on a terminal
      const field = /^[\w-]{1,64}$/.test(key) ? key : "a field of another name";
      wrong.push(
        `${part}.${field}: is not allowed in a kubeconfig of others; allowed: ${Object.keys(forms).join(", ")}`,
      );
    } else if (typeof value !== "string" || !form.test(value))
      wrong.push(`${part}.${key}: is not ${form.description}`);
    else found[key] = value;
  }
  faults.push(...wrong, ...missing(part, found, wrong.length > 0));
  return found;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** @param isFaulty true if there are errors already, which may be the cause of missing fields */
function missing(part: Part, found: Readonly<Record<string, string>>, isFaulty: boolean): string[] {
  if (isFaulty) return [];
  const lacks = (...keys: string[]): string[] =>
    keys.filter((key) => !Object.hasOwn(found, key)).map((key) => `${part}.${key}: is missing`);
  switch (part) {
    case "context":
      return lacks("cluster", "user");
    case "cluster":
      return lacks("server", "certificate-authority-data");
    case "user": {
      const certificate = lacks("client-certificate-data", "client-key-data");
      if (certificate.length === 1) return certificate;
      const hasNone = certificate.length === 2 && !Object.hasOwn(found, "token");
      return hasNone ? ["user: has neither a token nor a client certificate"] : [];
    }
  }
}
