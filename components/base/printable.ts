/**
 * Makes texts safe for a terminal. Names in a package, answers of a cloud, and events and logs of a cluster may contain
 * control characters, with which a text deletes, hides or rewrites the output of a terminal. Call these functions when
 * a text is printed, not when it is composed.
 */

/**
 * Control characters of C0 (with ESC) and C1, DEL, Unicode separators, and characters that change a line's direction.
 */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Replaces control characters in a text of any lines by escapes such as `\u001b`, as in JSON. Tabs stay. */
export function printable(text: string) {
  return text.split(/\r?\n/).map(printableLine).join("\n");
}

/** Replaces control characters in a text of one line; a line break becomes `\u000a`. */
export function printableLine(text: string) {
  return text.replaceAll(CONTROLS, (character) =>
    character === "\t" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
