import { parseArgs } from "node:util";
import { DEFAULT_VERSIONS } from "./cluster-api-releases";
import { UsageFault } from "./fault";
import type { FillRequest } from "./fill-package";
import type { LevelChange } from "./scale";
import type { UpgradeRequest } from "./upgrade";

/** What a command line asks for. */
export type Invocation =
  | { readonly command: "help"; readonly text: string }
  | ({ readonly command: "status" | "check"; readonly vnf?: string } & StackOptions)
  | ({
      readonly command: "scale";
      readonly vnf: string;
      readonly levels: readonly LevelChange[];
    } & RunOptions)
  | ({
      readonly command: "heal";
      readonly vnf: string;
      readonly vnfcs: readonly string[];
    } & RunOptions)
  | ({
      readonly command: "rotate";
      readonly vnf: string;
      readonly secrets: readonly string[];
    } & RunOptions)
  | ({
      readonly command: "release";
      readonly vnf: string;
      /** Names of PersistentVolumes. */
      readonly volumes: readonly string[];
    } & RunOptions)
  | ({ readonly command: "upgrade"; readonly vnf: string; readonly request: UpgradeRequest } & RunOptions)
  | ({ readonly command: "mend"; readonly vnf?: string } & RunOptions)
  | ({
      readonly command: "ssh";
      readonly vnf: string;
      readonly vnfc: string;
      /** None for a shell. */
      readonly run: readonly string[];
    } & Pick<StackOptions, "stack">)
  | ({ readonly command: "recover" } & Pick<StackOptions, "stack">)
  | { readonly command: "package"; readonly request: FillRequest };

interface StackOptions {
  /** @default the selected one */
  readonly stack?: string;
  /** One JSON document on standard output, and nothing else there. */
  readonly json: boolean;
}

interface RunOptions extends StackOptions {
  /** Nobody is asked; what was not asked for is refused. */
  readonly yes: boolean;
}

interface Command {
  readonly usage: string;
  readonly what: string;
  readonly options: readonly (keyof typeof OPTIONS)[];
}

const OPTIONS = {
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
  into: { type: "string", value: " FOLDER", what: "the VNF package; vnf-packages/cluster-api by default" },
  help: { type: "boolean", short: "h", value: "", what: "this text" },
} as const;

const COMMANDS: Readonly<Record<Exclude<Invocation["command"], "help">, Command>> = {
  status: {
    usage: "status [VNF]",
    what: "the VNF instances: state, flavour, scale levels, VNFCs, endpoints",
    options: ["stack", "json", "help"],
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
    what: "makes secrets of a cluster anew in place: ssh_key, service_account, certificates",
    options: ["stack", "json", "yes", "help"],
  },
  upgrade: {
    usage: "upgrade VNF [--to VERSION] [--package PATH] [--image VDU=NAME]...",
    what:
      "replaces a cluster's nodes by ones of another version, package or image: masters one at a time, then\n" +
      "  workers in batches; after a failure the same command goes on",
    options: ["to", "package", "image", "batch", "surge", "stack", "json", "yes", "help"],
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
};

const EXIT_STATUS = `Exit status: 0 done, 1 failed, 2 wrong usage, 3 refused and nothing changed, 4 another run holds
the stack, 5 something is not as declared.
`;

/** @throws UsageFault if the arguments are none that there are */
export function readArguments(args: readonly string[]): Invocation {
  const { positionals, values } = parse(args);
  const [name, ...rest] = positionals;
  const command = isCommand(name) ? COMMANDS[name] : undefined;
  if (values.help) return { command: "help", text: command === undefined ? USAGE : usageOf(command) };
  if (!isCommand(name) || command === undefined) {
    throw new UsageFault(name === undefined ? USAGE : `there is no command "${name}"\n${USAGE}`);
  }
  for (const option of Object.keys(values) as (keyof typeof OPTIONS)[]) {
    if (!command.options.includes(option)) throw wrong(command, `--${option} is not for this command`);
  }
  const stack = values.stack === undefined ? {} : { stack: values.stack };
  const options = { ...stack, json: values.json ?? false, yes: values.yes ?? false };
  const [vnf, ...items] = rest;
  switch (name) {
    case "recover":
      if (rest.length > 0) throw wrong(command, `"${rest[0]}" is one word too many`);
      return { command: name, ...stack };
    case "status":
    case "check":
    case "mend": {
      if (items.length > 0) throw wrong(command, `"${items[0]}" is one word too many`);
      const only = vnf === undefined ? {} : { vnf };
      if (name === "mend") return { command: name, ...options, ...only };
      return { command: name, ...stack, json: options.json, ...only };
    }
    case "ssh": {
      const [vnfc, ...run] = items;
      if (vnf === undefined || vnfc === undefined)
        throw wrong(command, "it takes a VNF and one of its VNFCs");
      return { command: name, vnf, vnfc, run, ...stack };
    }
    case "scale":
      if (vnf === undefined || items.length === 0) throw wrong(command, "it takes a VNF and scale levels");
      return { command: name, vnf, levels: readLevels(items, command), ...options };
    case "upgrade":
      if (vnf === undefined) throw wrong(command, "it takes a VNF");
      if (items.length > 0) throw wrong(command, `"${items[0]}" is one word too many`);
      return { command: name, vnf, request: readUpgrade(values, command), ...options };
    case "heal":
      if (vnf === undefined || items.length === 0) throw wrong(command, "it takes a VNF and its VNFCs");
      return { command: name, vnf, vnfcs: [...new Set(items)], ...options };
    case "release":
      if (vnf === undefined || items.length === 0)
        throw wrong(command, "it takes a VNF and PersistentVolumes of its cluster");
      return { command: name, vnf, volumes: [...new Set(items)], ...options };
    case "package":
      if (vnf !== "cluster-api" || items.length > 0) throw wrong(command, "it takes cluster-api");
      return { command: name, request: readFill(values, command) };
    case "rotate":
      if (vnf === undefined || items.length === 0) throw wrong(command, "it takes a VNF and its secrets");
      return { command: name, vnf, secrets: [...new Set(items)], ...options };
  }
}

interface Values {
  readonly stack?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly help?: boolean;
  readonly to?: string;
  readonly package?: string;
  readonly image?: readonly string[];
  readonly batch?: string;
  readonly surge?: string;
  readonly from?: string;
  readonly core?: string;
  readonly openstack?: string;
  readonly orc?: string;
  readonly into?: string;
}

function parse(args: readonly string[]): {
  readonly positionals: readonly string[];
  readonly values: Values;
} {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}

function isCommand(name: string | undefined): name is keyof typeof COMMANDS {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

function readLevels(items: readonly string[], command: Command): readonly LevelChange[] {
  const levels = items.map((item): LevelChange => {
    const [, aspect, sign, digits] = /^([^=]+)=([+-]?)(\d{1,5})$/.exec(item) ?? [];
    if (aspect === undefined) throw wrong(command, `"${item}" is no ASPECT=LEVEL, such as worker_instance=2`);
    const number = Number(digits);
    return sign === "" ? { aspect, level: number } : { aspect, by: sign === "-" ? -number : number };
  });
  const aspects = levels.map(({ aspect }) => aspect);
  const twice = aspects.find((aspect, i) => aspects.indexOf(aspect) !== i);
  if (twice !== undefined) throw wrong(command, `${twice} is given twice`);
  return levels;
}

function readUpgrade(values: Values, command: Command): UpgradeRequest {
  const { to, package: location, image = [], batch = "1", surge = "0" } = values;
  if (to === undefined && location === undefined && image.length === 0)
    throw wrong(command, "give --to VERSION, --package PATH, --image VDU=NAME or some of them");
  if (to !== undefined && !/^v1\.\d{1,3}\.\d{1,3}$/.test(to))
    throw wrong(command, `--to: "${to}" is no version, such as v1.34.4`);
  const images = image.map((item): readonly [string, string] => {
    const [, vdu, name] = /^([^=]+)=(.+)$/.exec(item) ?? [];
    if (vdu === undefined || name === undefined)
      throw wrong(command, `--image: "${item}" is no VDU=NAME, such as workerNode=debian-12-kube-v1.34.4`);
    return [vdu, name];
  });
  return {
    ...(to !== undefined && { to }),
    ...(location !== undefined && { package: location }),
    images: Object.fromEntries(images),
    batch: readNumber("batch", batch, 1, command),
    surge: readNumber("surge", surge, 0, command),
  };
}

function readFill(values: Values, command: Command): FillRequest {
  const { from, into = "vnf-packages/cluster-api" } = values;
  const version = (option: keyof typeof DEFAULT_VERSIONS): string => {
    const text = values[option] ?? DEFAULT_VERSIONS[option];
    if (/^v\d{1,4}\.\d{1,4}\.\d{1,4}(-[0-9a-z.-]+)?$/.test(text)) return text;
    throw wrong(command, `--${option}: "${text}" is no version, such as ${DEFAULT_VERSIONS[option]}`);
  };
  return {
    versions: { core: version("core"), openstack: version("openstack"), orc: version("orc") },
    ...(from !== undefined && { from }),
    into,
  };
}

function readNumber(option: string, text: string, least: number, command: Command): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text);
  throw wrong(command, `--${option}: "${text}" is no number of ${least} or more`);
}

function wrong(command: Command, message: string): UsageFault {
  return new UsageFault(`${message}\n${usageOf(command)}`);
}

function usageOf({ usage, what, options }: Command): string {
  const lines = options.map((name) => {
    const option = OPTIONS[name];
    const short = "short" in option ? `-${option.short}, ` : "    ";
    return `  ${`${short}--${name}${option.value}`.padEnd(23)}  ${option.what}\n`;
  });
  return `usage: npm run vnfm -- ${usage} [OPTION...]\n\n  ${what}\n\n${lines.join("")}\n${EXIT_STATUS}`;
}

const USAGE = `usage: npm run vnfm -- COMMAND ...

${Object.values(COMMANDS)
  .map(({ usage, what }) => `${usage}\n  ${what}\n`)
  .join("")}
'COMMAND --help' has the options.

${EXIT_STATUS}`;
