import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";
import { heal } from "../operations/heal";

export const healCommand = command({
  name: "heal",
  summary: "replaces VNFCs by new ones with the same addresses; all is the whole VNF",
  examples: ["heal vnf-a workerNode-2", "heal vnf-a all"],
  operands: { vnf: word("VNF"), vnfcs: words("VNFC") },
  options: CHANGING,
  read: (request) => request,
  run: (request) =>
    runOperation("heal", request, (stack, conduct) => heal(stack, request.vnf, request.vnfcs, conduct)),
});
