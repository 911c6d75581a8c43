import { command, optionalWord } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { READING } from "../command-line/options";
import { openStack } from "../command-line/stack";
import { describeStatus } from "../command-line/status-words";
import { show, writeJson } from "../command-line/terminal";

export const statusCommand = command({
  name: "status",
  summary: "shows the VNF instances: state, flavour, scale levels, VNFCs, endpoints",
  examples: ["status", "status vnf-a --json"],
  operands: { vnf: optionalWord("VNF") },
  options: READING,
  run: async ({ vnf, stack, json }) => {
    const found = await (await openStack(stack)).status(vnf);
    if (json) writeJson(found);
    else show(describeStatus(found));
    return EXIT.done;
  },
});
