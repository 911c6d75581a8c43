import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const healCommand = command({
  name: "heal",
  summary: "replaces VNFCs with new ones that have the same addresses; all means the whole VNF",
  examples: ["heal vnf-a workerNode-2", "heal vnf-a all"],
  operands: { vnf: word("VNF"), vnfcs: words("VNFC") },
  options: CHANGING,
  run: (request) =>
    runOperation("heal", request, (stack, options) => stack.heal(request.vnf, request.vnfcs, options)),
});
