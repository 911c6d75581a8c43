import { setTimeout as sleep } from "node:timers/promises";
import type { Agent } from "undici";
import { bytesOf } from "../base/net/bytes";
import { Fault } from "../base/fault";
import { makeAgent } from "../base/net/http-agent";
import { usableProxy } from "../base/net/proxy";
import { tlsOf, type CloudAccess } from "./clouds";

/** An answer of a server. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The cloud is unreachable, or too busy to answer: a later request may succeed. */
export class UnansweredFault extends Fault {}

/** A request that may be sent repeatedly. */
type Request = Readonly<Pick<RequestInit, "method" | "headers" | "body">>;

/** Limits for a request with its whole answer, in milliseconds and in MiB. */
const PATIENCE_MS = 60_000;
const MOST_MIB = 16;

/** Maximum number of consecutive redirects. */
const MOST_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Pauses before further attempts, in milliseconds, and the longest pause that a server may request. */
const PAUSES_MS = [500, 1000, 2000];
const LONGEST_PAUSE_MS = 60_000;

/** HTTP statuses of an overloaded server, and of a load balancer without a server. */
const BUSY: readonly number[] = [429, 502, 503, 504];
/** Error codes of a connection that ended too early, and of a name server that does not answer. */
const BROKEN: readonly (string | undefined)[] = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "EAI_AGAIN"];

/**
 * Sends a request, and repeats it if the server is busy or the connection breaks. A redirect is followed only to the
 * same origin: another host or port could read the password or token.
 *
 * @throws Fault for a redirect to another origin, UnansweredFault if the server is not reached or stays busy
 */
export async function send(url: string, request: Request, access: CloudAccess): Promise<Received> {
  let from = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await sendPatiently(from, request, access);
    const location = answer.headers.get("location");
    if (!REDIRECTS.includes(answer.status) || location === null) return answer;
    from = redirected(from, location);
  }
  throw new Fault(`${new URL(url).origin} redirects more than ${MOST_REDIRECTS} times`);
}

function redirected(from: string, location: string): string {
  const before = new URL(from);
  if (!URL.canParse(location, from))
    throw new Fault(`${before.origin} redirects to something that is not a URL`);
  const after = new URL(location, from);
  if (after.origin === before.origin) return after.href;
  throw new Fault(
    `${before.origin} redirects to ${after.protocol}//${after.host}, which is not followed: ` +
      "password or token would be sent there; set auth_url and the endpoints of the catalog to the final URLs",
  );
}

async function sendPatiently(url: string, request: Request, access: CloudAccess): Promise<Received> {
  for (const pause of PAUSES_MS) {
    const result = await sendOnce(url, request, access);
    const wait = "broken" in result ? pause : pauseOf(result, pause);
    if (wait === undefined) return answerOf(result);
    await sleep(wait);
  }
  return answerOf(await sendOnce(url, request, access));
}

/** A broken connection, with the error about it. */
interface Broken {
  readonly broken: UnansweredFault;
}

/** @throws UnansweredFault without an answer, or if the server is busy */
function answerOf(result: Received | Broken): Received {
  if ("broken" in result) throw result.broken;
  const { method, url, status } = result;
  if (!BUSY.includes(status)) return result;
  throw new UnansweredFault(
    `${method} ${url} answers ${status}, ${MEANING[status] ?? "busy"}: run again later`,
  );
}

const MEANING: Readonly<Record<number, string>> = {
  429: "too many requests",
  502: "no API behind the load balancer",
  503: "the API is overloaded or down",
  504: "no response from the API behind the load balancer",
};

/**
 * Returns the pause before the next attempt, in milliseconds. Undefined: no further attempt, because the server is not
 * busy or the pause would be too long.
 */
function pauseOf({ status, headers }: Received, pause: number): number | undefined {
  if (!BUSY.includes(status)) return undefined;
  const after = headers.get("retry-after") ?? "";
  const delay = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  if (Number.isNaN(delay)) return pause;
  return delay > LONGEST_PAUSE_MS ? undefined : Math.max(delay, 0);
}

/** @throws Fault with the reason if there is no complete answer, and another attempt would not help */
async function sendOnce(url: string, request: Request, access: CloudAccess): Promise<Received | Broken> {
  const { origin } = new URL(url);
  try {
    const response = await fetchBy(access, url, {
      ...request,
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { status, headers } = response;
    const body = await bytesOf(
      response.body,
      MOST_MIB << 20,
      () => new Fault(`${url} answers with more than ${MOST_MIB} MiB`),
    );
    return { method: request.method ?? "GET", url, status, headers, text: body.toString() };
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { cause, message, name } = error as Error & { cause?: Error & { code?: string } };
    if (name === "TimeoutError")
      throw new UnansweredFault(`${origin} did not respond completely within ${PATIENCE_MS / 1000} s`);
    const why = cause?.code ?? cause?.message ?? message;
    const fault = new UnansweredFault(
      `${origin} cannot be reached: ${why}${UNKNOWN_CA.test(why) ? hintOf(access) : ""}`,
    );
    if (BROKEN.includes(cause?.code)) return { broken: fault };
    throw fault;
  }
}

/** Error codes for a certificate of an unknown CA; an expired certificate, or one of another host, has others. */
const UNKNOWN_CA = /SELF_SIGNED|SIGNATURE|ISSUER/;

function hintOf({ verify, cacert }: CloudAccess): string {
  const unchecked = /^(n|no|false|off)$/i.test(verify ?? "")
    ? "verify: false applies only to the provider; "
    : "";
  return cacert === undefined
    ? `; ${unchecked}set cacert of the cloud, or NODE_EXTRA_CA_CERTS, to the file of its CA`
    : `; ${unchecked}only cacert of the cloud is trusted, and it is not the CA of this certificate`;
}

const agents = new WeakMap<CloudAccess, Promise<Agent>>();

/** Sends a request like the provider: with its CA and client certificate, through the proxy of the environment. */
async function fetchBy(access: CloudAccess, url: string, init: RequestInit): Promise<Response> {
  const tls = tlsOf(access);
  // what Node.js has is loaded already
  if (Object.keys(tls).length === 0 && usableProxy(new URL(url)) === undefined) return fetch(url, init);
  const { fetch: fetchThrough } = await import("undici");
  const agent = agents.get(access) ?? makeAgent(tls);
  agents.set(access, agent);
  const through = { ...init, dispatcher: await agent } as Parameters<typeof fetchThrough>[1];
  return await fetchThrough(url, through);
}
