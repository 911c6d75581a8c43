// @ts-check
// For `node --require`: limits of a minute and more pass a hundred times as fast.
"use strict";
const { setTimeout: wait } = globalThis;

// no assignment, which would be another declaration of it to TypeScript
Reflect.set(
  globalThis,
  "setTimeout",
  /** @param {() => void} then @param {number} ms */
  (then, ms) => wait(then, ms >= 60_000 ? ms / 100 : ms),
);
