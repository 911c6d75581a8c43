import { command, rest, word } from "../command-line/command";
import { login } from "../command-line/login";
import { STACK } from "../command-line/options";
import { openPulumiStack } from "../command-line/stack";

export const sshCommand = command({
  name: "ssh",
  summary:
    "opens a shell on the server of a VNFC, or runs a command there; write -- before a command with options",
  examples: ["ssh vnf-a masterNode-1", "ssh vnf-a masterNode-1 -- sudo crictl ps -a"],
  operands: { vnf: word("VNF"), vnfc: word("VNFC"), run: rest("COMMAND") },
  options: { stack: STACK },
  run: async ({ vnf, vnfc, run, stack }) => login(await openPulumiStack(stack), vnf, vnfc, run),
});
