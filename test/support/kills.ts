import fc from "fast-check";
import type { CommandResult } from "./command";
import { killedWhen, orphans, recover, stateOnDisk } from "./cut-off";
import { SEED } from "./seed";
import type { Command, TestStack } from "./stack";

const KILLS = 10;

/** Part of the titles of the tests of kills. */
export const KILLED = `killed ${KILLS} times, seed ${SEED}`;

/** Moments of ten kills, in milliseconds after a command of so many seconds has begun to change something. */
export const momentsIn = (seconds: number): readonly number[] =>
  fc.sample(fc.integer({ min: 0, max: seconds * 1000 }), { seed: SEED, numRuns: KILLS });

/**
 * Kills a command of the stack, recovers, and expects that the state knows all that is in the cloud.
 * @param moment milliseconds after the state has changed
 * @returns its end if it ends before
 */
export async function kill(
  stack: TestStack,
  command: Command,
  moment: number,
): Promise<CommandResult | undefined> {
  const before = stateOnDisk(stack);
  const end = await killedWhen(stack, command, () => stateOnDisk(stack) !== before, moment);
  if (end !== undefined) return end;
  await recover(stack);
  expect(await orphans(stack)).toEqual([]);
  return undefined;
}

/**
 * Kills `up`, which has no preview here, ten times; where it comes to its end before the moment, the operation has its
 * next round, with a moment that is sooner.
 * @param seconds about as long as a round takes
 * @param configOfRound stack config
 * @returns the round that was killed last
 */
export async function killRounds(
  stack: TestStack,
  seconds: number,
  configOfRound: (round: number) => object,
): Promise<number> {
  let round = 1;
  for (const moment of momentsIn(seconds)) {
    for (let sooner = moment; ; sooner /= 2) {
      stack.configure(configOfRound(round));
      const end = await kill(stack, stack.upCommand("--skip-preview"), sooner);
      if (end === undefined) break;
      expect([end.status, end.status === 0 ? "" : end.stdout + end.stderr]).toEqual([0, ""]);
      round += 1;
    }
  }
  return round;
}
