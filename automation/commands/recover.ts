import { command, flag } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { STACK, WAIT } from "../command-line/options";
import { openStack } from "../command-line/stack";
import { ask, show } from "../command-line/terminal";
import type { RunEvent } from "../run";
import { sayHolder, type Holder } from "../stack/lock";

const YES = flag("do not ask: a run on another machine that holds the stack is dead for certain", "y");

export const recoverCommand = command({
  name: "recover",
  summary: "after a run that was cut off: has the state know what that left, so that the next run goes on",
  details: "removes the run's lock, finds what it made in the cloud and puts that into the state",
  examples: ["recover --stack site-1", "recover --yes"],
  operands: {},
  options: { stack: STACK, wait: WAIT, yes: YES },
  run: async ({ stack, wait, yes }) => {
    const onEvent = ({ text }: RunEvent): void => show([text]);
    const isDead = (holder: Holder) => yes || asksWhetherDead(holder);
    await (await openStack(stack)).recover({ onEvent, wait, isDead });
    return EXIT.done;
  },
});

/** Asks if the run that has locked the stack is dead; false without a terminal. */
async function asksWhetherDead(holder: Holder): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const question = `the stack is held by ${sayHolder(holder)}. Is it dead for certain? type yes: `;
  return (await ask({ json: false }, question)) === "yes";
}
