import { didYouMean, oneOf } from "../../components/base/nearest";
import { UsageFault } from "../fault";
import { SECRET_NAMES, type SecretName } from "../operations/rotate";
import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const rotateCommand = command({
  name: "rotate",
  summary: "replaces secrets of a cluster without replacing its servers",
  details:
    "ssh_key, service_account, certificates, encryption_key, credential; for a workload cluster from a template: only credential",
  examples: ["rotate vnf-a certificates", "rotate vnf-a ssh_key service_account"],
  operands: { vnf: word("VNF"), secrets: words("SECRET", readSecret) },
  options: CHANGING,
  run: (request) =>
    runOperation("rotate", request, (stack, options) => stack.rotate(request.vnf, request.secrets, options)),
});

function readSecret(text: string): SecretName {
  if (SECRET_NAMES.includes(text)) return text as SecretName;
  throw new UsageFault(`"${text}" is not ${oneOf(SECRET_NAMES)}${didYouMean(text, SECRET_NAMES)}`);
}
