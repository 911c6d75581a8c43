import { UsageFault } from "../fault";
import { init } from "../init";
import { command, flag, option } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { CHANGING } from "../command-line/options";
import { openPulumiStack } from "../command-line/stack";
import { assertAnswerable, say, show } from "../command-line/terminal";

export const initCommand = command({
  name: "init",
  summary: "writes a first stack config, with a cluster of what the cloud has",
  details:
    "asks for network, image and flavors; with --yes it takes what is not given by options as it seems best",
  examples: [
    "init --stack site-1",
    "init --stack site-1 --network tenants --node-image debian-12-kube --yes",
    "init --stack site-1 --cnf vnf-packages/web-cnf",
  ],
  operands: {},
  options: {
    network: option("NAME", "network of the nodes, or new: one is made, behind a router and a floating IP"),
    "external-network": option(
      "NAME",
      "where the router of a new network leads, and what the floating IP is of",
    ),
    "node-image": option("NAME", "Glance image of the nodes"),
    "master-flavor": option("NAME", "Nova flavor of the master"),
    "worker-flavor": option("NAME", "Nova flavor of the workers"),
    "management-cidr": option(
      "CIDR",
      "who may connect to the nodes; by default this machine, or its subnet where the nodes are in it too",
    ),
    cnf: option("PACKAGE", "a VNF package whose Kubernetes objects are put on the cluster"),
    overwrite: flag("even if the stack config has VNFs, which go for it"),
    yes: CHANGING.yes,
    stack: CHANGING.stack,
  },
  read: ({ network, "external-network": external, yes, overwrite, stack, cnf, ...others }) => {
    if (external !== undefined && network !== undefined && network !== "new")
      throw new UsageFault("--external-network goes with a new network: leave --network out");
    const answers = { ...others, network: network ?? (external && "new"), "external-network": external };
    return { request: { given: answers, yes, overwrite, cnf }, stack };
  },
  run: async ({ request, stack }) => {
    assertAnswerable({ json: false, yes: request.yes });
    const tell = (line: string): void => say({ json: false }, line);
    show(await init(await openPulumiStack(stack), request, tell));
    return EXIT.done;
  },
});
