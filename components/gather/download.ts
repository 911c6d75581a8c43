import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Agent, Response } from "undici";
import { bytesOf } from "../base/net/bytes";
import { makeAgent } from "../base/net/http-agent";

/** Time limit of a whole answer, in milliseconds. */
const PATIENCE_MS = 60_000;

let byEnvironment: Promise<Agent> | undefined;

/**
 * Downloads the body of a response.
 *
 * @param most maximum number of bytes
 * @throws Error with the reason, and without the query, which may be a token
 */
export async function download(
  url: URL,
  most: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const answer = await request("GET", url, headers);
  const place = `${url.origin}${url.pathname}`;
  if (!answer.ok) {
    await answer.body?.cancel();
    // its own words for the status may be anything
    throw new Error(`${place} answers ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`.trim());
  }
  const tooLarge = new Error(`${place} has more than ${most} bytes`);
  try {
    return await bytesOf(answer.body, most, () => tooLarge);
  } catch (error) {
    if (error === tooLarge) throw tooLarge;
    throw new Error(`${place} was interrupted: ${reasonOf(error)}`);
  }
}

/** Sends a request, and returns the response with any status. @throws Error without a response */
export async function request(
  method: "GET" | "HEAD",
  url: URL,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { fetch } = await import("undici");
  const dispatcher = await (byEnvironment ??= makeAgent());
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    return await fetch(url, { method, headers: { ...headers }, signal, dispatcher });
  } catch (error) {
    const { cause } = error as Error & { cause?: Error & { code?: string } };
    const hint = /CERT|SIGN|ISSUER/.test(cause?.code ?? "")
      ? "; set NODE_EXTRA_CA_CERTS to the file of the site's CA"
      : "";
    throw new Error(`${url.origin} cannot be reached: ${reasonOf(error)}${hint}`);
  }
}

function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: Error & { code?: string } };
  if (name === "TimeoutError") return `no complete response within ${PATIENCE_MS / 1000} s`;
  return cause?.message || cause?.code || message;
}

/** @throws Error if the content has another digest. @param digest in hexadecimal */
export function assertSha256(content: Buffer, digest: string, what: string): void {
  const found = createHash("sha256").update(content).digest("hex");
  if (found !== digest) throw new Error(`${what} has the digest sha256:${found}, not sha256:${digest}`);
}
