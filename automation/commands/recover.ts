import { command, flag } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { STACK, WAIT } from "../command-line/options";
import { openStack } from "../command-line/stack";
import { ask, show } from "../command-line/terminal";
import type { RunEvent } from "../run";
import { describeHolder, type Holder } from "../stack/lock";

const YES = flag(
  "do not prompt: a run on another machine that has locked the stack has certainly ended",
  "y",
);

export const recoverCommand = command({
  name: "recover",
  summary: "after an interrupted run: completes the state, so that the next run can continue",
  details: "removes the lock of that run, finds what it created in the cloud and adds it to the state",
  examples: ["recover --stack site-1", "recover --yes"],
  operands: {},
  options: { stack: STACK, wait: WAIT, yes: YES },
  run: async ({ stack, wait, yes }) => {
    const onEvent = ({ text }: RunEvent): void => show([text]);
    const isDead = (holder: Holder) => yes || confirmsDead(holder);
    await (await openStack(stack)).recover({ onEvent, wait, isDead });
    return EXIT.done;
  },
});

/** Asks if the run that has locked the stack is dead; false without a terminal. */
async function confirmsDead(holder: Holder): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const question = `the stack is locked by ${describeHolder(holder)}. Has that run certainly ended? type yes: `;
  return (await ask({ json: false }, question)) === "yes";
}
