import { UsageFault } from "../fault";
import { command, flag, optionalWord } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const terminateCommand = command({
  name: "terminate",
  summary: "removes an instance from the stack config, and deletes everything it consists of",
  examples: ["terminate vnf-b", "terminate vnf-b --stack site-1 --yes", "terminate --all --stack site-1"],
  operands: { vnf: optionalWord("VNF") },
  options: { ...CHANGING, all: flag("all instances of the stack") },
  read: (request) => {
    if ((request.vnf === undefined) !== request.all) throw new UsageFault("name one instance, or use --all");
    return request;
  },
  run: (request) =>
    runOperation("terminate", request, (stack, options) =>
      request.vnf === undefined ? stack.terminateAll(options) : stack.terminate(request.vnf, options),
    ),
});
