// @ts-check
// For `node --require`: timers between a second and a minute end at once.
"use strict";
const timers = require("node:timers/promises");
const { setTimeout: sleep } = timers;

Reflect.set(timers, "setTimeout", (/** @type {number} */ ms) => sleep(ms >= 1000 && ms < 60_000 ? 0 : ms));
