import { command } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const upCommand = command({
  name: "up",
  summary: "makes the cloud and the clusters match the stack config as it is",
  details: "as 'pulumi up' does; it is refused where all VNFs of the stack would go",
  examples: ["up", "up --stack site-1 --yes"],
  operands: {},
  options: CHANGING,
  run: (request) => runOperation("up", request, (stack, options) => stack.up(options)),
});
