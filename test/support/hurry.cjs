// @ts-check
// For `node --require`: timers of a minute or more end after a hundredth of their time.
"use strict";
const { setTimeout: wait } = globalThis;

// Reflect.set, because TypeScript would take an assignment for a declaration
Reflect.set(
  globalThis,
  "setTimeout",
  /** @param {() => void} then @param {number} ms */
  (then, ms) => wait(then, ms >= 60_000 ? ms / 100 : ms),
);
