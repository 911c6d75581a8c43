import { adopt } from "../adopt";
import { UsageFault } from "../fault";
import { command, option, withDefault, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const adoptCommand = command({
  name: "adopt",
  summary: "makes objects that are on a cluster already a CNF of the stack, as they are",
  details: "with Cluster/NAME all that was declared of that cluster of Cluster API",
  examples: [
    "adopt web Deployment/web Service/web --vim vnf-a --namespace web",
    "adopt tenant Cluster/tenant --vim vnf-a --namespace tenants",
  ],
  operands: { vnf: word("VNF"), objects: words("KIND/NAME", readObject) },
  options: {
    vim: option(
      "NAME",
      "the cluster of this stack that they are on; by default vim of the VNF in the stack config",
    ),
    namespace: withDefault(option("NAME", "where they are; default by default"), "default"),
    into: option("FOLDER", "the VNF package; vnf-packages/VNF by default"),
    ...CHANGING,
  },
  read: ({ vnf, stack, json, yes, into = `vnf-packages/${vnf}`, ...request }) => ({
    ...{ vnf, stack, json, yes },
    request: { into, ...request },
  }),
  run: (call) =>
    runOperation("adopt", call, (stack, conduct) => adopt(stack, call.vnf, call.request, conduct)),
});

function readObject(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/.test(text)) return text;
  throw new UsageFault(`"${text}" is no KIND/NAME, such as Deployment/web`);
}
