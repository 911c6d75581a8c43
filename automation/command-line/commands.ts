import { DEFAULT_VERSIONS } from "../cluster-api/releases";

/** What a command takes, and what its help says of it. */
export interface Command {
  /** Its command line, as it stands behind `npm run vnfm --`. */
  readonly usage: string;
  readonly what: string;
  readonly options: readonly (keyof typeof OPTIONS)[];
}

/** The options of all commands: as node:util reads them, with the texts of the help. */
export const OPTIONS = {
  stack: { type: "string", short: "s", value: " NAME", what: "the stack; the selected one by default" },
  json: { type: "boolean", value: "", what: "one JSON document on standard output, nothing else there" },
  yes: {
    type: "boolean",
    short: "y",
    value: "",
    what: "do not ask; refuse if anything is deleted or replaced that was not asked for",
  },
  to: { type: "string", value: " VERSION", what: "the version of Kubernetes, such as v1.34.4" },
  package: {
    type: "string",
    value: " PATH",
    what: "the VNF package, from the folder of Pulumi.yaml; nodes get its images",
  },
  template: {
    type: "string",
    multiple: true,
    value: " NAME",
    what: "another template of vnfm:clusterTemplates, for a cluster by a template; several are gone through in turn",
  },
  image: {
    type: "string",
    multiple: true,
    value: " VDU=NAME",
    what: "the Glance image of a VDU's servers; may be given several times",
  },
  batch: { type: "string", value: " N", what: "number of workers that are replaced at a time; 1 by default" },
  surge: {
    type: "string",
    value: " N",
    what: "scale levels of workers that are added meanwhile; 0 by default",
  },
  from: {
    type: "string",
    value: " PLACE",
    what: "folder or URL of a mirror, with PROVIDER/VERSION/FILE in it; upstream's releases by default",
  },
  core: { type: "string", value: " VERSION", what: `Cluster API; ${DEFAULT_VERSIONS.core} by default` },
  openstack: {
    type: "string",
    value: " VERSION",
    what: `its OpenStack provider; ${DEFAULT_VERSIONS.openstack} by default`,
  },
  orc: {
    type: "string",
    value: " VERSION",
    what: `the OpenStack resource controller; ${DEFAULT_VERSIONS.orc} by default`,
  },
  file: {
    type: "string",
    value: " FILE",
    what: "where the kubeconfig is written; VNF.kubeconfig by default",
  },
  format: {
    type: "string",
    value: " FORMAT",
    what: "text, mermaid or svg; text by default",
  },
  into: {
    type: "string",
    value: " FOLDER",
    what: "the VNF package; vnf-packages/cluster-api by default, of adopt vnf-packages/VNF",
  },
  vim: {
    type: "string",
    value: " NAME",
    what: "the cluster of this stack that they are on; by default vim of the VNF in the stack config",
  },
  namespace: { type: "string", value: " NAME", what: "where they are; default by default" },
  network: {
    type: "string",
    value: " NAME",
    what: "network of the nodes, or new: one is made, behind a router and a floating IP",
  },
  "external-network": {
    type: "string",
    value: " NAME",
    what: "where the router of a new network leads, and what the floating IP is of",
  },
  "node-image": { type: "string", value: " NAME", what: "Glance image of the nodes" },
  "master-flavor": { type: "string", value: " NAME", what: "Nova flavor of the master" },
  "worker-flavor": { type: "string", value: " NAME", what: "Nova flavor of the workers" },
  "management-cidr": {
    type: "string",
    value: " CIDR",
    what: "who may connect to the nodes; by default this machine, or its subnet where the nodes are in it too",
  },
  overwrite: { type: "boolean", value: "", what: "even if the stack config has VNFs, which go for it" },
  help: { type: "boolean", short: "h", value: "", what: "this text" },
} as const;

export const COMMANDS = {
  init: {
    usage: "init",
    what:
      "writes a first stack config, with a cluster of what the cloud has: asks for network, image and flavors;\n" +
      "  with --yes it takes what is not given by options as it seems best",
    options: [
      ...(["network", "external-network", "node-image", "master-flavor", "worker-flavor"] as const),
      ...(["management-cidr", "overwrite", "yes", "stack", "help"] as const),
    ],
  },
  status: {
    usage: "status [VNF]",
    what: "the VNF instances: state, flavour, scale levels, VNFCs, endpoints",
    options: ["stack", "json", "help"],
  },
  topology: {
    usage: "topology",
    what: "draws clouds, clusters, networks, groups of nodes and CNFs, and what the next run changes",
    options: ["format", "stack", "help"],
  },
  scale: {
    usage: "scale VNF ASPECT=LEVEL...",
    what: "sets scale levels, or with +N and -N changes them: worker_instance=2, worker_instance=+1",
    options: ["stack", "json", "yes", "help"],
  },
  heal: {
    usage: "heal VNF VNFC...",
    what: "replaces VNFCs, such as workerNode-2, by new ones with the same addresses; all is the whole VNF",
    options: ["stack", "json", "yes", "help"],
  },
  rotate: {
    usage: "rotate VNF SECRET...",
    what:
      "makes secrets of a cluster anew in place: ssh_key, service_account, certificates, encryption_key,\n" +
      "  credential; of a cluster by a template: credential",
    options: ["stack", "json", "yes", "help"],
  },
  upgrade: {
    usage: "upgrade VNF [--to VERSION] [--package PATH] [--image VDU=NAME]... [--template NAME]...",
    what:
      "replaces a cluster's nodes by ones of another version, package or image: masters one at a time, then\n" +
      "  workers in batches; after a failure the same command goes on; of a cluster by a template: --template",
    options: ["to", "template", "package", "image", "batch", "surge", "stack", "json", "yes", "help"],
  },
  check: {
    usage: "check [VNF]",
    what: "looks on the servers and clusters whether all is as the last run has left it; changes nothing",
    options: ["stack", "json", "help"],
  },
  mend: {
    usage: "mend [VNF]",
    what: "checks, and runs again what made the things that are not as declared",
    options: ["stack", "json", "yes", "help"],
  },
  release: {
    usage: "release VNF VOLUME...",
    what: "gives PersistentVolumes whose claim is gone to the next claims, with the data on them",
    options: ["stack", "json", "yes", "help"],
  },
  ssh: {
    usage: "ssh VNF VNFC [COMMAND...]",
    what: "a shell on the server of a VNFC, or a command there; one with options stands after --",
    options: ["stack", "help"],
  },
  kubeconfig: {
    usage: "kubeconfig VNF",
    what: "writes the kubeconfig of a cluster to a file that its owner alone may read",
    options: ["file", "stack", "help"],
  },
  adopt: {
    usage: "adopt VNF KIND/NAME...",
    what:
      "makes objects that are on a cluster already a CNF of the stack, as they are; with Cluster/NAME all that was\n" +
      "  declared of that cluster of Cluster API",
    options: ["vim", "namespace", "into", "stack", "json", "yes", "help"],
  },
  recover: {
    usage: "recover",
    what:
      "after a run that was cut off: removes its lock, finds what it made in the cloud and puts that into\n" +
      "  the state, so that the next run goes on from there",
    options: ["stack", "help"],
  },
  package: {
    usage: "package cluster-api",
    what: "fills the VNF package of a management cluster with Cluster API's releases, if they go together",
    options: ["from", "core", "openstack", "orc", "into", "help"],
  },
  schema: {
    usage: "schema",
    what: "prints the JSON Schema of Pulumi.<stack>.yaml, by which editors complete and check it",
    options: ["help"],
  },
  convert: {
    usage: "convert magnum FILE...",
    what:
      "prints Magnum's cluster templates and clusters as settings; the files are what openstack coe cluster show,\n" +
      "  cluster template show and nodegroup show print with -f json",
    options: ["help"],
  },
} satisfies Readonly<Record<string, Command>>;

const EXIT_STATUS = `Exit status: 0 done, 1 failed, 2 wrong usage, 3 refused and nothing changed, 4 another run holds
the stack, 5 something is not as declared.
`;

export function isCommand(name: string | undefined): name is keyof typeof COMMANDS {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

/** The help of one command. */
export function usageOf({ usage, what, options }: Command): string {
  const lines = options.map((name) => {
    const option = OPTIONS[name];
    const short = "short" in option ? `-${option.short}, ` : "    ";
    return `  ${`${short}--${name}${option.value}`.padEnd(23)}  ${option.what}\n`;
  });
  return `usage: npm run vnfm -- ${usage} [OPTION...]\n\n  ${what}\n\n${lines.join("")}\n${EXIT_STATUS}`;
}

/** The help of the program. */
export const USAGE = `usage: npm run vnfm -- COMMAND ...

${Object.values(COMMANDS)
  .map(({ usage, what }) => `${usage}\n  ${what}\n`)
  .join("")}
'COMMAND --help' has the options.

${EXIT_STATUS}`;
