import { command, option } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";
import { ask } from "../command-line/terminal";

export const rebuildStateCommand = command({
  name: "rebuild-state",
  summary: "makes the lost state of a stack again from its config and its servers in the cloud",
  details:
    "for a stack without a state, whose servers are there; creates, changes and deletes nothing in the cloud",
  examples: ["rebuild-state --stack site-1", "rebuild-state --identity site-1-5f0c2a9e"],
  operands: {},
  options: {
    ...CHANGING,
    identity: option("NAME", "identity of the lost state, if servers of several stacks match"),
  },
  run: (request) =>
    runOperation("rebuild-state", request, (stack, options) =>
      stack.rebuildState(request.identity, {
        ...options,
        confirm: async () =>
          request.yes || ["y", "yes"].includes(await ask(request, "write this state? [y/N] ")),
      }),
    ),
});
