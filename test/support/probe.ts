import { request as requestHttp } from "node:http";
import { request as requestHttps, type RequestOptions } from "node:https";

/** A service that is probed periodically. */
export interface Target {
  /** Milliseconds from the start of a request to the start of the next one, whether it was answered or not. */
  readonly everyMs: number;
  /** Sends a request. @param n number of the request, from 1. @returns true if it was answered correctly */
  readonly request: (n: number) => Promise<boolean>;
}

/** Result of the requests to a target. */
export interface Probed {
  readonly requests: number;
  readonly failed: number;
  /** Longest time between two correct answers, or from the last one to the end. */
  readonly longestOutageSeconds: number;
}

/** Time limit of a request. */
const LIMIT_MS = 5000;

/**
 * Sends requests to each target until `work` ends or fails.
 * @returns the result of `work`, and the result of the requests to each target
 */
export async function probeDuring<T, K extends string>(
  targets: Readonly<Record<K, Target>>,
  work: () => Promise<T>,
): Promise<[T, Readonly<Record<K, Probed>>]> {
  const probes = Object.entries<Target>(targets).map(([name, target]) => [name, startProbe(target)] as const);
  const end = () => Promise.all(probes.map(async ([name, stop]) => [name, await stop()] as const));
  const result = await work().catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return [result, Object.fromEntries(await end()) as Record<K, Probed>];
}

/** Starts to probe a target. @returns a function that stops it, and waits for the open requests */
function startProbe({ everyMs, request }: Target): () => Promise<Probed> {
  let [requests, failed, longest, answered] = [0, 0, 0, performance.now()];
  const pending = new Set<Promise<void>>();
  const send = async (n: number): Promise<void> => {
    if (await request(n).catch(() => false)) {
      const now = performance.now();
      longest = Math.max(longest, now - answered);
      answered = now;
    } else failed++;
  };
  const begin = () => {
    const request = send(++requests).finally(() => pending.delete(request));
    pending.add(request);
  };
  const timer = setInterval(begin, everyMs);
  begin();
  return async () => {
    clearInterval(timer);
    const end = performance.now();
    await Promise.all(pending);
    return { requests, failed, longestOutageSeconds: Math.max(longest, end - answered) / 1000 };
  };
}

/** Returns a target for a URL, with a new connection for each request. Certificates are not verified. */
export function urlTarget(url: string, everyMs = 50): Target {
  return { everyMs, request: async () => isSuccess(await answerOf(url)) };
}

export const isSuccess = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300;

/** Sends one request over a new connection. @throws Error without a complete response in time */
export function answerOf(
  url: string,
  options: RequestOptions = {},
  body?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(LIMIT_MS);
  return new Promise((done, fail) => {
    const request = send(url, { agent: false, rejectUnauthorized: false, signal, ...options }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text += part));
      answer.on("end", () => done({ status: answer.statusCode ?? 0, text }));
      answer.on("error", fail);
    });
    request.on("error", fail);
    request.end(body);
  });
}
