/**
 * Posts the credentials of a workload cluster to a web server; with the argument `delete` it asks the server to delete
 * them. Standard input has the URL and the credentials. Nothing of it is printed.
 */
import { answerOf, MOST_BYTES } from "../../../base/net/http-answer";
import { tunnel, usableProxy } from "../../../base/net/proxy";
import { Missing, untilDone } from "../../../base/until";
import { readInput, startProgram } from "../../../run/program";

const PAUSE_MS = 2000;
const LIMITS = { silenceMs: 30_000, answerMs: 60_000, bytes: MOST_BYTES };

type Receiver = { url: string; ca?: string; headers: Record<string, string>; seconds: number };
type Input = { receiver: Receiver; name: string; credentials: object };

/** An error that may not occur in another attempt. */
class Passing extends Error {}

async function send({ receiver, name, credentials }: Input, method: "POST" | "DELETE") {
  const url = new URL(receiver.url);
  if (method === "DELETE") url.pathname = `${url.pathname.replace(/\/+$/, "")}/${encodeURIComponent(name)}`;
  const body = method === "POST" ? JSON.stringify(credentials) : undefined;
  const failed = (why: string) => new Error(`credentials_receiver: ${method} to ${url.origin}: ${why}`);
  const answer = await untilDone(() => request(url, receiver, method, body), {
    seconds: receiver.seconds,
    pauseMs: PAUSE_MS,
    passes: (error) => error instanceof Passing,
  }).catch((error) => {
    throw failed(error.message);
  });
  if (answer instanceof Missing) throw failed(answer.text);
}

async function request(url: URL, { ca, headers }: Receiver, method: string, body: string | undefined) {
  const proxy = usableProxy(url);
  const through = proxy === undefined ? {} : await tunnel(url, proxy, { ca }).catch(passing);
  const content = body === undefined ? {} : { "content-type": "application/json" };
  const length = { "content-length": Buffer.byteLength(body ?? "") };
  const options = { method, headers: { ...headers, ...content, ...length }, ca, ...through };
  const { status } = await answerOf(url, options, body, LIMITS).catch((error) => {
    throw isOfTls(error) ? error : new Passing(error.message);
  });
  if (status >= 200 && status <= 299) return;
  if (method === "DELETE" && (status === 404 || status === 410)) return;
  const answer = `it answers ${status}`;
  throw status === 429 || status >= 500 ? new Passing(answer) : new Error(answer);
}

function passing(error: Error): never {
  throw new Passing(error.message);
}

/** Returns true for an error about the server's TLS certificate. */
function isOfTls({ code = "" }: NodeJS.ErrnoException) {
  return /CERT|SIGN|ISSUER|ALTNAME|^ERR_TLS|^ERR_SSL/.test(code);
}

startProgram(async () => send(readInput(), process.argv[2] === "delete" ? "DELETE" : "POST"));
