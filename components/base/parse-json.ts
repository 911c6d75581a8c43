/** JSON that may have a secret in it. */

/**
 * The value of a JSON text.
 * @param what has the text, for the message
 * @throws Error without any of the text, as the message of JSON.parse has a part of it
 */
export function parseJson<T = unknown>(text: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${what} is no JSON`);
  }
}
