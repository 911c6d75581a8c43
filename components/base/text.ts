/** Preparation of texts from files and the environment. */

/** Decodes a file as UTF-8, without a byte order mark. @returns undefined for other encodings */
export function utf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/**
 * Prepares a script, or boot data, for a server: removes blank lines before `#!`, which must be the very first
 * characters, and carriage returns of Windows editors, which the kernel would treat as a part of the interpreter's
 * name.
 */
export function runnable(text: string): string {
  // what begins with a word is YAML, whose first line may be indented
  return text.replaceAll("\r\n", "\n").replace(/^\s+(?=#)|^\uFEFF?(?:\s*\n)?/, "");
}

/** Removes user and password from the URLs in a text: `postgres://...@db/pulumi`. */
export function withoutUrlPasswords(text: string): string {
  return text.replaceAll(/:\/\/[^/\s]*@/g, "://...@");
}
