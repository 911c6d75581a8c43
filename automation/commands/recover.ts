import { command } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { STACK, WAIT } from "../command-line/options";
import { openStack } from "../command-line/stack";
import { show } from "../command-line/terminal";
import type { RunEvent } from "../run";

export const recoverCommand = command({
  name: "recover",
  summary: "after a run that was cut off: has the state know what that left, so that the next run goes on",
  details: "removes the run's lock, finds what it made in the cloud and puts that into the state",
  examples: ["recover --stack site-1"],
  operands: {},
  options: { stack: STACK, wait: WAIT },
  run: async ({ stack, wait }) => {
    const onEvent = ({ text }: RunEvent): void => show([text]);
    await (await openStack(stack)).recover({ onEvent, wait });
    return EXIT.done;
  },
});
