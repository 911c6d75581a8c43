import { command } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const upCommand = command({
  name: "up",
  summary: "applies the stack config to the cloud and the clusters",
  details: "like 'pulumi up', but fails if all instances of the stack would be deleted",
  examples: ["up", "up --stack site-1 --yes"],
  operands: {},
  options: CHANGING,
  run: (request) => runOperation("up", request, (stack, options) => stack.up(options)),
});
