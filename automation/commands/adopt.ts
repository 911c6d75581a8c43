import { UsageFault } from "../fault";
import { command, option, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const adoptCommand = command({
  name: "adopt",
  summary: "makes existing objects of a cluster a CNF of the stack, without changing them",
  details: "Cluster/NAME adopts all declared objects of that Cluster API cluster",
  examples: [
    "adopt web Deployment/web Service/web --vim vnf-a --namespace web",
    "adopt tenant Cluster/tenant --vim vnf-a --namespace tenants",
  ],
  operands: { vnf: word("VNF"), objects: words("KIND/NAME", readObject) },
  options: {
    vim: option(
      "NAME",
      "the target cluster, a cluster of this stack; default: vim of the instance in the stack config",
    ),
    namespace: option("NAME", "their namespace; default: the namespace named default"),
    into: option("FOLDER", "the VNF package to write; default: vnf-packages/VNF"),
    ...CHANGING,
  },
  read: ({ vnf, stack, json, yes, wait, ...request }) => ({ vnf, stack, json, yes, wait, request }),
  run: (call) =>
    runOperation("adopt", call, (stack, options) => stack.adopt(call.vnf, call.request, options)),
});

function readObject(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/.test(text)) return text;
  throw new UsageFault(`"${text}" is not a KIND/NAME, such as Deployment/web`);
}
