import { check } from "../checks/check";
import { command, optionalWord } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";
import { stopSignal } from "../command-line/stack";
import { mend } from "../operations/mend";

export const mendCommand = command({
  name: "mend",
  summary: "checks, and runs again what made the things that are not as declared",
  examples: ["mend", "mend vnf-a --yes"],
  operands: { vnf: optionalWord("VNF") },
  options: CHANGING,
  read: (request) => request,
  run: (request) =>
    runOperation("mend", request, async (stack, conduct) =>
      mend(stack, await check(stack, request.vnf, stopSignal()), conduct),
    ),
});
