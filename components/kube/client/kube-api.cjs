// @ts-check
// Speaks to a Kubernetes API with what a kubeconfig says of its cluster and its user. Its messages show no
// credentials.
"use strict";
const { execFile } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { promisify } = require("node:util");
const { jsonMap, OddAnswer, quotable, shaped } = require("../../base/net/answer.cjs");
const { answerOf, MOST_BYTES } = require("../../base/net/http-answer.cjs");
const { tunnel, usableProxy } = require("../../base/net/proxy.cjs");

/**
 * The `cluster` and the `user` of a kubeconfig's context, as they stand there, and its namespace.
 * @typedef {{ cluster: Record<string, any>, user: Record<string, any>, namespace?: string | undefined }} Access
 */

/** @typedef {{ token?: string, username?: string, password?: string, cert?: string, key?: string }} Credentials */

/** @typedef {"GET" | "POST" | "PATCH" | "DELETE"} Method */

const LIMITS = { silenceMs: 60_000, answerMs: 300_000, bytes: MOST_BYTES };

/** How long an exec plugin may take, how much it may print, and how much of its words is shown, in characters. */
const PLUGIN_MS = 60_000;
const PLUGIN_BYTES = 1 << 20;
const PLUGIN_WORDS = 2000;
const TOO_MUCH = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";

const EXEC_CREDENTIAL = /** @type {const} */ ({
  status: { token: "text", clientCertificateData: "text", clientKeyData: "text" },
});

/** How much of a reason is shown, in characters: that of a policy engine may be long. */
const MOST_REASON = 4000;

const JSON_TYPE = "application/json";
const ANY_TYPE = "application/json, */*";
const METADATA_TYPE = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1, application/json";

/** An answer that is no success. */
class ApiError extends Error {
  /** @param {number} status @param {string} [reason] */
  constructor(status, reason) {
    super(`the Kubernetes API refuses it with ${status}: ${reason ?? "no reason is given"}`);
    this.status = status;
  }
}

/** No answer at all. */
class Unreachable extends Error {}

class KubeApi {
  /** @type {Promise<Credentials> | undefined} */
  #credentials;
  /** @param {Access} access @param {AbortSignal} [signal] gives up on all that is not answered */
  constructor(access, signal) {
    this.access = access;
    this.signal = signal;
  }

  /** A JSON object; read.cjs reads it. @param {string} path @returns {Promise<Record<string, unknown>>} */
  async get(path) {
    return jsonMap(
      await this.#request("GET", path),
      `the Kubernetes API, or a proxy before it, asked for ${path},`,
    );
  }

  /** A list of objects, which may have their metadata alone. @param {string} path @returns {Promise<any>} */
  async metadataList(path) {
    return parsed(await this.#request("GET", path, undefined, undefined, METADATA_TYPE));
  }

  /** @param {string} path @returns {Promise<string>} */
  text(path) {
    return this.#request("GET", path);
  }

  /** @param {string} path @param {object} object @returns {Promise<any>} */
  async post(path, object) {
    return parsed(await this.#request("POST", path, JSON.stringify(object)));
  }

  /**
   * Changes an object as a JSON Patch (RFC 6902) says, or not at all.
   * @param {string} path @param {object[]} operations @returns {Promise<any>}
   */
  async patch(path, operations) {
    return parsed(
      await this.#request("PATCH", path, JSON.stringify(operations), "application/json-patch+json"),
    );
  }

  /**
   * Makes an object, or changes it, on the server's side; what others have set in its fields it takes over.
   * @param {string} path @param {string} text JSON of it @param {string} manager whose the fields are
   * @returns {Promise<any>}
   */
  async apply(path, text, manager) {
    const query = `?fieldManager=${encodeURIComponent(manager)}&force=true`;
    // JSON is YAML
    return parsed(await this.#request("PATCH", path + query, text, "application/apply-patch+yaml"));
  }

  /** Deletes an object, and no other of its name. @param {string} path @param {string} uid @returns {Promise<any>} */
  async delete(path, uid) {
    const how = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid } };
    return parsed(await this.#request("DELETE", path, JSON.stringify(how)));
  }

  /**
   * @param {Method} method @param {string} path @param {string} [body] @param {string} [type] of the body
   * @param {string} [accept] types of an answer @returns {Promise<string>}
   */
  async #request(method, path, body, type = JSON_TYPE, accept = ANY_TYPE) {
    try {
      return await this.#send(method, path, body, type, accept);
    } catch (error) {
      // the token of a plugin runs out
      if (!(error instanceof ApiError) || error.status !== 401 || !this.access.user.exec) throw error;
      this.#credentials = undefined;
      return this.#send(method, path, body, type, accept);
    }
  }

  /**
   * @param {Method} method @param {string} path @param {string | undefined} body @param {string} type
   * @param {string} accept @returns {Promise<string>}
   */
  async #send(method, path, body, type, accept) {
    const { cluster } = this.access;
    const address = String(cluster.server).replace(/\/+$/, "") + path;
    if (!URL.canParse(address)) throw new Error("the server of the kubeconfig is no URL");
    const url = new URL(address);
    this.#credentials ??= credentialsOf(this.access, this.signal);
    const { token, username, password, cert, key } = await this.#credentials;
    /** @type {Record<string, string | number>} */
    const headers = { accept };
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
      throw new Unreachable(`the Kubernetes API at ${url.host} cannot be reached: ${messageOf(error)}`);
    }
  }
}

/** An answer whose content counts for nothing where it is none. @param {string} text @returns {Record<string, any>} */
function parsed(text) {
  try {
    return jsonMap(text, "");
  } catch {
    return {};
  }
}

/** @param {unknown} error */
function messageOf(error) {
  const { message, code } = /** @type {{ message?: string, code?: string }} */ (error);
  return message || code || String(error);
}

/** What a kubeconfig has in base64 or in a file. @param {Record<string, any>} where @param {string} name */
function content(where, name) {
  const data = where[`${name}-data`];
  if (data) return Buffer.from(data, "base64").toString();
  return where[name] ? readFileSync(where[name], "utf8") : undefined;
}

/** @param {Access} access @param {AbortSignal} [signal] */
async function credentialsOf({ cluster, user }, signal) {
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
 * The credentials that a kubeconfig's exec plugin gives.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * @param {Record<string, any>} exec @param {Record<string, any>} cluster @param {AbortSignal} [signal]
 */
async function ofPlugin(exec, cluster, signal) {
  const spec = { interactive: false, ...(exec.provideClusterInfo ? { cluster: infoOf(cluster) } : {}) };
  const info = { apiVersion: exec.apiVersion, kind: "ExecCredential", spec };
  /** @type {[string, string][]} */
  const own = (exec.env ?? []).map((/** @type {any} */ { name, value }) => [name, value]);
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
    const { code, killed, stderr } =
      /** @type {{ code?: string | number | null, killed?: boolean, stderr?: string }} */ (error);
    const status = code ?? (killed ? `no answer in ${PLUGIN_MS / 1000} s` : "a signal");
    const why = code === TOO_MUCH ? `prints more than ${PLUGIN_BYTES >> 20} MiB` : `failed (${status})`;
    throw new Error(`${who} ${why}: ${(stderr ?? "").slice(-PLUGIN_WORDS).trim()}`);
  }
  const { status } = shaped(jsonMap(stdout, who), EXEC_CREDENTIAL);
  const { token, clientCertificateData: cert, clientKeyData: key } = status ?? {};
  if (!token && !(cert && key)) throw new Error(`${who} gives no token and no client certificate`);
  return { token, cert, key };
}

/** @param {Record<string, any>} cluster */
function infoOf(cluster) {
  const ca = content(cluster, "certificate-authority");
  return {
    server: cluster.server,
    ...(ca ? { "certificate-authority-data": Buffer.from(ca).toString("base64") } : {}),
    ...(cluster["insecure-skip-tls-verify"] ? { "insecure-skip-tls-verify": true } : {}),
    ...(cluster["tls-server-name"] ? { "tls-server-name": cluster["tls-server-name"] } : {}),
    ...(cluster["proxy-url"] ? { "proxy-url": cluster["proxy-url"] } : {}),
  };
}

/** Whether another attempt may have another answer. @param {unknown} error */
function isPassing(error) {
  return (
    error instanceof Unreachable ||
    error instanceof OddAnswer ||
    (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
}

module.exports = { ApiError, isPassing, KubeApi, Unreachable };
