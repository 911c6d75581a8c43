/** The text of a file, without a byte order mark; undefined where it is no UTF-8. */
export function utf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
