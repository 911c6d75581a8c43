import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";
import { rotate } from "../operations/rotate";

export const rotateCommand = command({
  name: "rotate",
  summary: "makes secrets of a cluster anew in place",
  details:
    "ssh_key, service_account, certificates, encryption_key, credential; of a cluster by a template: credential",
  examples: ["rotate vnf-a certificates", "rotate vnf-a ssh_key service_account"],
  operands: { vnf: word("VNF"), secrets: words("SECRET") },
  options: CHANGING,
  read: (request) => request,
  run: (request) =>
    runOperation("rotate", request, (stack, conduct) => rotate(stack, request.vnf, request.secrets, conduct)),
});
