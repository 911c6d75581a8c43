/**
 * Client of a Kubernetes API, with the cluster and user of a kubeconfig. Its messages contain no credentials.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { jsonMap, OddAnswer, quotable, shaped } from "../../base/net/answer";
import { answerOf, MOST_BYTES } from "../../base/net/http-answer";
import { tunnel, usableProxy } from "../../base/net/proxy";
import { at, items } from "../objects/object";

/** Cluster, user and namespace of a kubeconfig's context, with the kubeconfig's field names. */
export type Access = {
  cluster: Record<string, any>;
  user: Record<string, any>;
  namespace?: string | undefined;
};

type Credentials = {
  token?: string;
  username?: string;
  password?: string;
  cert?: string;
  key?: string;
};

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const LIMITS = { silenceMs: 60_000, answerMs: 300_000, bytes: MOST_BYTES };

/** Limits of an exec plugin: its time in milliseconds, its output, and the part of its messages that is shown. */
const PLUGIN_MS = 60_000;
const PLUGIN_BYTES = 1 << 20;
const PLUGIN_WORDS = 2000;
const TOO_MUCH = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";

const EXEC_CREDENTIAL = {
  status: { token: "text", clientCertificateData: "text", clientKeyData: "text" },
} as const;

/** Maximum number of characters that are shown of a reason, because that of a policy engine may be long. */
const MOST_REASON = 4000;

const JSON_TYPE = "application/json";
const ANY_TYPE = "application/json, */*";
const METADATA_TYPE = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1, application/json";

/** Codes of connections that break, as those to a server that restarts. */
const BROKEN = ["ECONNRESET", "EPIPE"];
/** Time until a read is repeated, in milliseconds. */
const AGAIN_MS = 1000;

/** An HTTP answer with an error status. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    reason?: string,
  ) {
    super(`the Kubernetes API rejects it with ${status}: ${reason ?? "no reason is given"}`);
  }
}

/** The API did not answer. */
export class Unreachable extends Error {
  /** @param isBroken true if the connection broke after it was made */
  constructor(
    message: string,
    readonly isBroken = false,
  ) {
    super(message);
  }
}

export class KubeApi {
  #credentials: Promise<Credentials> | undefined;

  constructor(
    readonly access: Access,
    /** Cancels all open requests. */
    readonly signal?: AbortSignal,
  ) {}

  /** Reads a JSON object of any shape; read.ts checks it. */
  async get(path: string): Promise<Record<string, unknown>> {
    return jsonMap(
      await this.#request("GET", path),
      `the Kubernetes API, or a proxy in front of it, requested ${path},`,
    );
  }

  /** Reads a list of objects, which may contain only their metadata. */
  async metadataList(path: string): Promise<any> {
    return parsed(await this.#request("GET", path, undefined, undefined, METADATA_TYPE));
  }

  text(path: string): Promise<string> {
    return this.#request("GET", path);
  }

  async post(path: string, object: object): Promise<any> {
    return parsed(await this.#request("POST", path, JSON.stringify(object)));
  }

  /** Changes an object by a JSON Patch (RFC 6902), atomically. */
  async patch(path: string, operations: object[]): Promise<any> {
    return parsed(
      await this.#request("PATCH", path, JSON.stringify(operations), "application/json-patch+json"),
    );
  }

  /**
   * Creates or changes an object by server-side apply, and takes over its fields from other managers.
   * @param text the object as JSON
   * @param manager field manager
   */
  async apply(path: string, text: string, manager: string): Promise<any> {
    const query = `?fieldManager=${encodeURIComponent(manager)}&force=true`;
    // JSON is YAML
    return parsed(await this.#request("PATCH", path + query, text, "application/apply-patch+yaml"));
  }

  /** Deletes the object with this uid, but not a newer one with the same name. */
  async delete(path: string, uid: string): Promise<any> {
    const how = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid } };
    return parsed(await this.#request("DELETE", path, JSON.stringify(how)));
  }

  /**
   * @param type content type of the body
   * @param accept content types of the answer
   */
  async #request(
    method: Method,
    path: string,
    body?: string,
    type: string = JSON_TYPE,
    accept: string = ANY_TYPE,
  ): Promise<string> {
    try {
      return await this.#send(method, path, body, type, accept);
    } catch (error) {
      // the token of a plugin runs out
      if (error instanceof ApiError && error.status === 401 && this.access.user.exec)
        this.#credentials = undefined;
      // a write may have been done
      else if (method === "GET" && isWorthRepeating(error))
        await sleep(AGAIN_MS, undefined, { signal: this.signal });
      else throw error;
      return this.#send(method, path, body, type, accept);
    }
  }

  async #send(
    method: Method,
    path: string,
    body: string | undefined,
    type: string,
    accept: string,
  ): Promise<string> {
    const { cluster } = this.access;
    const address = String(cluster.server).replace(/\/+$/, "") + path;
    if (!URL.canParse(address)) throw new Error("the server of the kubeconfig is not a URL");
    const url = new URL(address);
    this.#credentials ??= credentialsOf(this.access, this.signal);
    const { token, username, password, cert, key } = await this.#credentials;
    const headers: Record<string, string | number> = { accept };
    if (body !== undefined) headers["content-type"] = type;
    if (body !== undefined) headers["content-length"] = Buffer.byteLength(body);
    if (token) headers.authorization = `Bearer ${token}`;
    const tls = {
      ca: content(cluster, "certificate-authority"),
      cert,
      key,
      rejectUnauthorized: cluster["insecure-skip-tls-verify"] !== true,
      ...(cluster["tls-server-name"] ? { servername: cluster["tls-server-name"] } : {}),
    };
    const proxy = url.protocol === "https:" ? usableProxy(url, cluster["proxy-url"]) : undefined;
    try {
      const through = proxy === undefined ? {} : await tunnel(url, proxy, tls, this.signal);
      const options = {
        method,
        headers,
        ...(username ? { auth: `${username}:${password ?? ""}` } : {}),
        ...tls,
        ...through,
        ...(this.signal && { signal: this.signal }),
      };
      const { status, text } = await answerOf(url, options, body, LIMITS);
      if (status >= 200 && status <= 299) return text;
      const reason = shaped(parsed(text), { message: "text" }).message;
      const login = Buffer.from(`${username}:${password}`).toString("base64");
      throw new ApiError(status, reason && quotable(reason, [token, password, login], MOST_REASON));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { code = "" } = error as { code?: string };
      const why = `the Kubernetes API at ${url.host} cannot be reached: ${messageOf(error)}`;
      throw new Unreachable(why, BROKEN.includes(code));
    }
  }
}

/** Parses an answer; empty if it is not a JSON object. */
function parsed(text: string): Record<string, any> {
  try {
    return jsonMap(text, "");
  } catch {
    return {};
  }
}

function messageOf(error: unknown) {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}

/** Reads data that a kubeconfig contains in base64 or names as a file. */
function content(where: Record<string, any>, name: string) {
  const data = where[`${name}-data`];
  if (data) return Buffer.from(data, "base64").toString();
  return where[name] ? readFileSync(where[name], "utf8") : undefined;
}

async function credentialsOf({ cluster, user }: Access, signal?: AbortSignal) {
  const found = {
    token: user.tokenFile ? readFileSync(user.tokenFile, "utf8").trim() : user.token,
    username: user.username,
    password: user.password,
    cert: content(user, "client-certificate"),
    key: content(user, "client-key"),
  };
  if (found.token || found.username || (found.cert && found.key)) return found;
  if (user.exec) return ofPlugin(user.exec, cluster, signal);
  throw new Error("the kubeconfig's user has no token, password, client certificate or exec plugin");
}

/**
 * Gets the credentials from a kubeconfig's exec plugin.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
async function ofPlugin(exec: Record<string, any>, cluster: Record<string, any>, signal?: AbortSignal) {
  const spec = { interactive: false, ...(exec.provideClusterInfo ? { cluster: infoOf(cluster) } : {}) };
  const info = { apiVersion: exec.apiVersion, kind: "ExecCredential", spec };
  const own = items(exec.env).map((entry) => [String(at(entry, "name")), String(at(entry, "value"))]);
  // without the passphrase of the stack and the password of the cloud: see withGuardedPlugins
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PULUMI|OS)_/.test(name));
  const env = { ...Object.fromEntries([...inherited, ...own]), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const who = `the kubeconfig's exec plugin ${exec.command}`;
  let stdout;
  try {
    ({ stdout } = await promisify(execFile)(exec.command, exec.args ?? [], {
      env,
      timeout: PLUGIN_MS,
      maxBuffer: PLUGIN_BYTES,
      killSignal: "SIGKILL",
      ...(signal && { signal }),
    }));
  } catch (error) {
    const { code, killed, stderr } = error as {
      code?: string | number | null;
      killed?: boolean;
      stderr?: string;
    };
    const status = code ?? (killed ? `no response within ${PLUGIN_MS / 1000} s` : "a signal");
    const why = code === TOO_MUCH ? `prints more than ${PLUGIN_BYTES >> 20} MiB` : `failed (${status})`;
    throw new Error(`${who} ${why}: ${(stderr ?? "").slice(-PLUGIN_WORDS).trim()}`);
  }
  const { status } = shaped(jsonMap(stdout, who), EXEC_CREDENTIAL);
  const { token, clientCertificateData: cert, clientKeyData: key } = status ?? {};
  if (!token && !(cert && key)) throw new Error(`${who} returns neither a token nor a client certificate`);
  return { token, cert, key };
}

function infoOf(cluster: Record<string, any>) {
  const ca = content(cluster, "certificate-authority");
  return {
    server: cluster.server,
    ...(ca ? { "certificate-authority-data": Buffer.from(ca).toString("base64") } : {}),
    ...(cluster["insecure-skip-tls-verify"] ? { "insecure-skip-tls-verify": true } : {}),
    ...(cluster["tls-server-name"] ? { "tls-server-name": cluster["tls-server-name"] } : {}),
    ...(cluster["proxy-url"] ? { "proxy-url": cluster["proxy-url"] } : {}),
  };
}

/** Returns true for an error that may disappear if the request is sent again. */
export function isPassing(error: unknown) {
  return (
    error instanceof Unreachable ||
    error instanceof OddAnswer ||
    (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
}

/** Returns true if a read is worth another attempt at once: an API that is not reached at all stays so for longer. */
function isWorthRepeating(error: unknown): boolean {
  return isPassing(error) && (!(error instanceof Unreachable) || error.isBroken);
}
