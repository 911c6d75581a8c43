// @ts-check
// JSON that may have a secret in it. Plain JavaScript, as programs that node runs as they are need it too.
"use strict";

/**
 * The value of a JSON text.
 * @param {string} text @param {string} what has the text, for the message @returns {any}
 * @throws Error without any of the text, as the message of JSON.parse has a part of it
 */
function parseJson(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${what} is no JSON`);
  }
}

module.exports = { parseJson };
