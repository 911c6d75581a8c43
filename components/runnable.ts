/**
 * A script, or boot data, as a server can run it. Editors of Windows end lines with CRLF, which a kernel takes for a part
 * of the interpreter's name, and a kernel looks for `#!` at the very beginning, before which a blank line stands easily.
 */
export function runnable(text: string): string {
  // what begins with a word is YAML, whose first line may be indented
  return text.replaceAll("\r\n", "\n").replace(/^\s+(?=#)|^\uFEFF?(?:\s*\n)?/, "");
}
