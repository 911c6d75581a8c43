import { UsageFault } from "../fault";
import { init } from "../init";
import { command, flag, option } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { CHANGING } from "../command-line/options";
import { openPulumiStack } from "../command-line/stack";
import { assertAnswerable, print, show } from "../command-line/terminal";

export const initCommand = command({
  name: "init",
  summary: "writes a first stack config, with a cluster that fits the cloud",
  details: "prompts for network, image and flavors; with --yes it chooses what no option sets",
  examples: [
    "init --stack site-1",
    "init --stack site-1 --network tenants --node-image debian-12-kube --yes",
    "init --stack site-1 --cnf vnf-packages/web-cnf",
  ],
  operands: {},
  options: {
    network: option(
      "NAME",
      "network of the nodes, or new: a network is created, with a router and a floating IP",
    ),
    "external-network": option("NAME", "external network of the new router and of the floating IP"),
    "node-image": option("NAME", "Glance image of the nodes"),
    "master-flavor": option("NAME", "Nova flavor of the control-plane node"),
    "worker-flavor": option("NAME", "Nova flavor of the workers"),
    "management-cidr": option(
      "CIDR",
      "CIDR that may connect to the nodes; default: this machine, or its subnet if the nodes are in it too",
    ),
    cnf: option("PACKAGE", "a VNF package whose Kubernetes objects are created on the cluster"),
    overwrite: flag("replace the instances that the stack config has: the next update deletes them"),
    yes: CHANGING.yes,
    stack: CHANGING.stack,
  },
  read: ({ network, "external-network": external, yes, overwrite, stack, cnf, ...others }) => {
    if (external !== undefined && network !== undefined && network !== "new")
      throw new UsageFault("--external-network is for a new network: remove --network");
    const answers = { ...others, network: network ?? (external && "new"), "external-network": external };
    return { request: { answers, yes, overwrite, cnf }, stack };
  },
  run: async ({ request, stack }) => {
    assertAnswerable({ json: false, yes: request.yes });
    const printLine = (line: string): void => print({ json: false }, line);
    show(await init(await openPulumiStack(stack), request, printLine));
    return EXIT.done;
  },
});
