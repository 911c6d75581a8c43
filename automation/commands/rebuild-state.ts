import { readFileSync } from "node:fs";
import { command, option } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";
import { ask } from "../command-line/terminal";

export const rebuildStateCommand = command({
  name: "rebuild-state",
  summary: "makes the lost state of a stack again from its config and from what exists",
  details: "for a stack without a state; creates, changes and deletes nothing but the state",
  examples: ["rebuild-state --stack site-1", "rebuild-state --former site-1.json"],
  operands: {},
  options: {
    ...CHANGING,
    former: option("FILE", "an export of a former state, however old: it has the keys of clusters"),
    identity: option("NAME", "identity of the lost state, if servers of several stacks match"),
  },
  run: (request) =>
    runOperation("rebuild-state", request, (stack, options) =>
      stack.rebuildState(
        { identity: request.identity, former: request.former && readFileSync(request.former, "utf8") },
        {
          ...options,
          confirm: async () =>
            request.yes || ["y", "yes"].includes(await ask(request, "write this state? [y/N] ")),
        },
      ),
    ),
});
