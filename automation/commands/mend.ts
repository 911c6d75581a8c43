import { command, optionalWord } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const mendCommand = command({
  name: "mend",
  summary: "checks, and repairs what differs from the desired state by running its scripts again",
  examples: ["mend", "mend vnf-a --yes"],
  operands: { vnf: optionalWord("VNF") },
  options: CHANGING,
  run: (request) => runOperation("mend", request, (stack, options) => stack.mend(request.vnf, options)),
});
