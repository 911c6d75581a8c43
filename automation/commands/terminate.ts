import { command, word } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const terminateCommand = command({
  name: "terminate",
  summary: "takes a VNF out of the stack config, and deletes all that it is made of",
  examples: ["terminate vnf-b", "terminate vnf-b --stack site-1 --yes"],
  operands: { vnf: word("VNF") },
  options: CHANGING,
  run: (request) =>
    runOperation("terminate", request, (stack, options) => stack.terminate(request.vnf, options)),
});
