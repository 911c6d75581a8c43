import { sayCheck } from "../checks/check-words";
import { command, optionalWord } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { READING } from "../command-line/options";
import { openStack, stopSignal } from "../command-line/stack";
import { show, writeJson } from "../command-line/terminal";

export const checkCommand = command({
  name: "check",
  summary: "looks on the servers and clusters whether all is as the last run has left it; changes nothing",
  examples: ["check", "check vnf-a --json"],
  operands: { vnf: optionalWord("VNF") },
  options: READING,
  run: async ({ vnf, stack, json }) => {
    const found = await (await openStack(stack)).check(vnf, { signal: stopSignal() });
    if (json) writeJson({ command: "check", vnf, ...found });
    else show(sayCheck(found));
    return found.findings.length === 0 ? EXIT.done : EXIT.differs;
  },
});
