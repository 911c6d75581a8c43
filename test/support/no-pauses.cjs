// @ts-check
// For `node --require`: pauses of a second to a minute pass at once.
"use strict";
const timers = require("node:timers/promises");
const { setTimeout: sleep } = timers;

Reflect.set(timers, "setTimeout", (/** @type {number} */ ms) => sleep(ms >= 1000 && ms < 60_000 ? 0 : ms));
