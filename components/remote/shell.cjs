// @ts-check
// Texts for a POSIX shell. Plain JavaScript, as programs that node runs as they are need it too.
"use strict";

/** Quotes any text. @param {string} text */
function shellQuote(text) {
  if (text.includes("\0")) throw new Error("a shell cannot hold a NUL character");
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Data as assignments in front of a script, which gets it in no other way.
 * @param {Readonly<Record<string, string>>} data
 */
function shellAssignments(data) {
  return Object.entries(data)
    .map(([name, value]) => {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" is no name of a shell variable`);
      return `${name}=${shellQuote(value)}\n`;
    })
    .join("");
}

module.exports = { shellQuote, shellAssignments };
