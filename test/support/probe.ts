import { request as requestHttp } from "node:http";
import { request as requestHttps, type RequestOptions } from "node:https";

/** Something that is asked again and again. */
export interface Target {
  /** Time from the beginning of a request to that of the next one, answered or not. */
  readonly everyMs: number;
  /** Sends a request. @param n its number, 1 for the first. @returns whether it was answered well */
  readonly ask: (n: number) => Promise<boolean>;
}

/** The requests to a target. */
export interface Probed {
  readonly requests: number;
  readonly failed: number;
  /** Between two good answers, or from the last one to the end. */
  readonly longestOutageSeconds: number;
}

/** Requests that hang fail after this time. */
const LIMIT_MS = 5000;

/**
 * Sends requests to each target while `work` goes on, and not after it has failed either.
 * @returns the result of `work`, and what became of the requests to each target
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

/** @returns what ends it, once all that was asked is answered or has failed */
function startProbe({ everyMs, ask }: Target): () => Promise<Probed> {
  let [requests, failed, longest, answered] = [0, 0, 0, performance.now()];
  const pending = new Set<Promise<void>>();
  const send = async (n: number): Promise<void> => {
    if (await ask(n).catch(() => false)) {
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

/** A URL, by a new connection for each request; its certificate is not checked. */
export function urlTarget(url: string, everyMs = 50): Target {
  return { everyMs, ask: async () => isSuccess(await answerOf(url)) };
}

export const isSuccess = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300;

/** Sends one request by a connection of its own. @throws Error without a whole answer in time */
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
