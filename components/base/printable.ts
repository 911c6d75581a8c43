/**
 * Makes texts safe for a terminal. Names in a package, answers of a cloud, and events and logs of a cluster may contain
 * control characters, by which a terminal deletes, hides or rewrites its output. These functions are for the place
 * where a text is printed, not where it is composed.
 */

/** Controls of C0, with ESC, and of C1, DEL, the separators of Unicode, and what changes the direction of a line. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text of any lines with each control character as in `\u001b`, which in JSON means the same. Tabs stay. */
export function printable(text: string) {
  return text.split(/\r?\n/).map(printableLine).join("\n");
}

/** A text that is to be one line: a line break in it is shown as `\u000a`. */
export function printableLine(text: string) {
  return text.replaceAll(CONTROLS, (character) =>
    character === "\t" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
