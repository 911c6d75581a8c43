import { command, option, word } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { writeKubeconfig } from "../command-line/kubeconfig";
import { STACK } from "../command-line/options";
import { openStack } from "../command-line/stack";
import { show } from "../command-line/terminal";

export const kubeconfigCommand = command({
  name: "kubeconfig",
  summary: "writes the kubeconfig of a cluster to a file that its owner alone may read",
  examples: ["kubeconfig vnf-a", "kubeconfig vnf-a --file /run/user/1000/vnf-a"],
  operands: { vnf: word("VNF") },
  options: { file: option("FILE", "where it is written; VNF.kubeconfig by default"), stack: STACK },
  read: ({ vnf, file = `${vnf}.kubeconfig`, ...request }) => ({ vnf, file, ...request }),
  run: async ({ vnf, file, stack }) => {
    await writeKubeconfig(await openStack(stack), vnf, file);
    show([`export KUBECONFIG=${file}`]);
    return EXIT.done;
  },
});
