// @ts-check
// The one loop that waits for something outside, such as an object of a cluster. Plain JavaScript, as programs that node
// runs as they are need it too.
"use strict";
const { setTimeout: sleep } = require("node:timers/promises");

/** How often is told what is missing. */
const PROGRESS_MS = 10_000;
const GROWTH = 1.5;

/** What is still to come. */
class Missing {
  /** @param {string} text what it is, in an operator's words */
  constructor(text) {
    this.text = text;
  }
}

/**
 * `seconds`: for how long; it is asked once more at their end. `pauseMs`: between two questions. `firstPauseMs`: after the
 * first one, where that is shorter; then pauses grow. `passes`: whether an error may be another one next time, so that its
 * message is what is missing; without it all errors are thrown. `tell`: gets what is missing, every ten seconds.
 * @typedef {{
 *   readonly seconds: number,
 *   readonly pauseMs: number,
 *   readonly firstPauseMs?: number,
 *   readonly passes?: (error: unknown) => boolean,
 *   readonly tell?: (missing: string) => void | Promise<void>,
 * }} Patience
 */

/**
 * Asks again and again until the answer is no longer that something is missing, or the time is over.
 *
 * @template T
 * @param {() => Promise<T | Missing>} ask
 * @param {Patience} patience
 * @returns {Promise<T | Missing>} the answer; what is missing where the time is over
 */
async function untilDone(ask, { seconds, pauseMs, firstPauseMs = pauseMs, passes = () => false, tell }) {
  const begin = Date.now();
  const end = begin + seconds * 1000;
  let nextTelling = begin + PROGRESS_MS;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * GROWTH, pauseMs)) {
    const answer = await ask().catch((/** @type {unknown} */ error) => {
      if (!passes(error)) throw error;
      return new Missing(/** @type {Error} */ (error).message);
    });
    if (!(answer instanceof Missing) || Date.now() >= end) return answer;
    if (Date.now() >= nextTelling) {
      await tell?.(answer.text);
      nextTelling = Date.now() + PROGRESS_MS;
    }
    await sleep(Math.min(pause, Math.max(end - Date.now(), 0)));
  }
}

module.exports = { Missing, untilDone };
