import fc from "fast-check";
import type { CommandResult } from "./command";
import { killedWhen, orphans, recover, stateOnDisk } from "./cut-off";
import { SEED } from "./seed";
import type { Command, TestStack } from "./stack";

const KILLS = 10;

/** Part of the titles of the tests of kills. */
export const KILLED = `killed ${KILLS} times, seed ${SEED}`;

/** Draws the moments of ten kills, in milliseconds after the first change of a command that takes so many seconds. */
export const momentsIn = (seconds: number): readonly number[] =>
  fc.sample(fc.integer({ min: 0, max: seconds * 1000 }), { seed: SEED, numRuns: KILLS });

/**
 * Runs a command of the stack and kills it, runs `vnfm recover`, and expects every resource of the cloud in the state.
 * @param moment milliseconds after the first change of the state
 * @returns the command's result, if it ends before that
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
 * Kills `up` (without a preview) ten times. If it ends before the moment of the kill, the next round applies another
 * config, with an earlier moment.
 * @param seconds approximate time of a round
 * @param configOfRound returns the stack config of a round
 * @returns the last round in which `up` was killed
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
