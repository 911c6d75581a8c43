/** An HTTP request with its complete answer. */
import * as http from "node:http";
import type { RequestOptions } from "node:https";
import * as https from "node:https";
import { Bytes } from "./bytes";

/**
 * Limits of an answer. `silenceMs`: time without any data; `answerMs`: time for the whole answer; `bytes`: size of its
 * body.
 */
type Limits = { readonly silenceMs: number; readonly answerMs: number; readonly bytes: number };

const MIB = 1 << 20;

/** Maximum size of an API's answer in bytes. */
export const MOST_BYTES = 16 * MIB;

/**
 * Sends a request and reads its answer. It ends within its limits whatever the server does: with a promise that never
 * settles the process would end with status 0 once nothing else is running, and Pulumi would treat it as a program that
 * declares nothing.
 * @returns status and body of the answer, for any status
 * @throws Error with the reason if there is no complete answer
 */
export function answerOf(
  url: URL,
  options: RequestOptions,
  body: string | undefined,
  { silenceMs, answerMs, bytes }: Limits,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === "http:" ? http : https;
    const content = new Bytes();
    let hasBegun = false;
    const request = client.request(url, { ...options, timeout: silenceMs }, (response) => {
      hasBegun = true;
      response.on("data", (part: Buffer) => {
        if (content.length + part.length > bytes) give(`the response is larger than ${bytes / MIB} MiB`);
        else content.add(part);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: content.all.toString() }));
      response.on("error", reject);
      response.on("close", () => reject(new Error("the response was truncated")));
    });
    const give = (why: string) => {
      reject(new Error(why));
      request.destroy();
    };
    const timer = setTimeout(() => give(`no complete response within ${answerMs / 1000} s`), answerMs);
    request.on("timeout", () => give(`no response within ${silenceMs / 1000} s`));
    request.on("upgrade", () => give("it responded with 101 Switching Protocols, which was not requested"));
    request.on("error", reject);
    request.on("close", () => {
      clearTimeout(timer);
      // the body of an answer that ends with its connection is read after this event
      if (!hasBegun) reject(new Error("the connection was closed without a response"));
    });
    request.end(body);
  });
}
