import { describeCheck } from "../checks/check-words";
import { command, optionalWord } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { READING, WAIT } from "../command-line/options";
import { openStack, stopSignal } from "../command-line/stack";
import { print, show, writeJson } from "../command-line/terminal";
import type { RunEvent } from "../run";

export const checkCommand = command({
  name: "check",
  summary: "compares servers and clusters with the last update; changes nothing",
  examples: ["check", "check vnf-a --json"],
  operands: { vnf: optionalWord("VNF") },
  options: { ...READING, wait: WAIT },
  run: async ({ vnf, stack, json, wait }) => {
    const onEvent = ({ text }: RunEvent): void => print({ json }, text);
    const found = await (await openStack(stack)).check(vnf, { signal: stopSignal(), wait, onEvent });
    if (json) writeJson({ command: "check", vnf, ...found });
    else show(describeCheck(found));
    return found.findings.length === 0 ? EXIT.done : EXIT.differs;
  },
});
