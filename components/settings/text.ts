import type { Schema } from "./schema-part";

/** Maximum length of a string that is no secret, in characters: the longest path of Linux. */
const MAX_LENGTH = 4096;
const SEVERAL_LINES = ["certificate", "kubeconfig", "openpgp-key", "private-key", "text"];

/**
 * Returns the reason why a string cannot be a value. A control character can end a line of a file on a node, or rewrite
 * the output of a terminal, and no name or address contains one. Only whole files and the operator's own additions to a
 * configuration may have several lines.
 */
export function textProblem(text: string, { type, anyOf, format, writeOnly }: Schema): string | undefined {
  const isOwnAddition = type === undefined && anyOf === undefined;
  const isLong = isOwnAddition || SEVERAL_LINES.includes(format ?? "");
  const odd = (isLong ? text.replaceAll(/[\t\r\n]/g, "") : text).match(ODD)?.[0];
  if (odd !== undefined) {
    const code = odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `has the control character U+${code}; write plain text${isLong ? "" : " on one line"}`;
  }
  if (format === "private-key" && hasPassphrase(text))
    return "has a passphrase, which cannot be entered during a run; use a copy without one, created by `ssh-keygen -p -N '' -f <copy>`";
  if (isLong || writeOnly || text.length <= MAX_LENGTH) return undefined;
  return `has ${text.length} characters; at most ${MAX_LENGTH} are allowed`;
}

const ODD = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

/** Returns true if a private key, of OpenSSH or PEM, is encrypted. */
function hasPassphrase(key: string): boolean {
  if (/^(-----BEGIN ENCRYPTED |Proc-Type: 4,ENCRYPTED)/m.test(key)) return true;
  const [, body = ""] = /^-----BEGIN OPENSSH PRIVATE KEY-----([^-]*)/.exec(key) ?? [];
  const bytes = Buffer.from(body, "base64").toString("latin1");
  return bytes.startsWith(OPENSSH) && !bytes.startsWith(`${OPENSSH}\0\0\0\x04none`);
}

/**
 * Magic string of an OpenSSH key, followed by the name of the cipher:
 * https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.key
 */
const OPENSSH = "openssh-key-v1\0";
