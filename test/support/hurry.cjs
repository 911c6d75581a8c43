// @ts-check
// For `node --require`: limits of a minute and more pass a hundred times as fast.
"use strict";
const { setTimeout: wait } = globalThis;

globalThis.setTimeout = /** @type {any} */ (
  /** @param {() => void} then @param {number} ms */
  (then, ms) => wait(then, ms >= 60_000 ? ms / 100 : ms)
);
