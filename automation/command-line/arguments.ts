import { parseArgs } from "node:util";
import { oneOf } from "../../components/nearest";
import type { AdoptRequest } from "../adopt";
import { DEFAULT_VERSIONS } from "../cluster-api/releases";
import { COMMANDS, OPTIONS, USAGE, isCommand, usageOf, type Command } from "./commands";
import { UsageFault } from "../fault";
import type { FillRequest } from "../cluster-api/fill-package";
import type { InitRequest } from "../init";
import type { LevelChange } from "../operations/scale";
import { FORMATS, type Format } from "../topology/formats";
import type { UpgradeRequest } from "../operations/upgrade";

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
  | ({ readonly command: "kubeconfig"; readonly vnf: string; readonly file: string } & Pick<
      StackOptions,
      "stack"
    >)
  | ({ readonly command: "recover" } & Pick<StackOptions, "stack">)
  | ({ readonly command: "adopt"; readonly vnf: string; readonly request: AdoptRequest } & RunOptions)
  | ({ readonly command: "init"; readonly request: InitRequest } & Pick<StackOptions, "stack">)
  | ({ readonly command: "topology"; readonly format: Format } & Pick<StackOptions, "stack">)
  | { readonly command: "package"; readonly request: FillRequest }
  | { readonly command: "schema" }
  | { readonly command: "convert"; readonly files: readonly string[] };

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

/** @throws UsageFault if the arguments are none that there are */
export function readArguments(args: readonly string[]): Invocation {
  const { positionals, values } = parse(args);
  const [name, ...rest] = positionals;
  const command: Command | undefined = isCommand(name) ? COMMANDS[name] : undefined;
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
    case "schema":
      if (rest.length > 0) throw wrong(command, `"${rest[0]}" is one word too many`);
      return { command: name };
    case "adopt":
      if (vnf === undefined || items.length === 0) throw wrong(command, "it takes a VNF and objects");
      return { command: name, vnf, request: readAdopt(vnf, items, values, command), ...options };
    case "init":
      if (rest.length > 0) throw wrong(command, `"${rest[0]}" is one word too many`);
      return { command: name, request: readInit(values, command), ...stack };
    case "topology":
      if (rest.length > 0) throw wrong(command, `"${rest[0]}" is one word too many`);
      return { command: name, format: readFormat(values, command), ...stack };
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
    case "kubeconfig":
      if (vnf === undefined || items.length > 0) throw wrong(command, "it takes a VNF");
      return { command: name, vnf, file: values.file ?? `${vnf}.kubeconfig`, ...stack };
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
    case "convert":
      if (vnf !== "magnum" || items.length === 0) throw wrong(command, "it takes magnum and files");
      return { command: name, files: items };
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
  readonly template?: readonly string[];
  readonly package?: string;
  readonly image?: readonly string[];
  readonly batch?: string;
  readonly surge?: string;
  readonly from?: string;
  readonly core?: string;
  readonly openstack?: string;
  readonly orc?: string;
  readonly into?: string;
  readonly format?: string;
  readonly vim?: string;
  readonly namespace?: string;
  readonly network?: string;
  readonly "external-network"?: string;
  readonly "node-image"?: string;
  readonly "master-flavor"?: string;
  readonly "worker-flavor"?: string;
  readonly "management-cidr"?: string;
  readonly overwrite?: boolean;
  readonly file?: string;
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
  const { to, template, package: location, image = [], batch = "1", surge = "0" } = values;
  if (template !== undefined && [to, location, values.image, values.batch, values.surge].some(Boolean))
    throw wrong(command, "--template goes with none of --to, --package, --image, --batch and --surge");
  if (template !== undefined) return { templates: template, images: {}, batch: 1, surge: 0 };
  if (to === undefined && location === undefined && image.length === 0)
    throw wrong(
      command,
      "give --to VERSION, --package PATH, --image VDU=NAME or some of them, or --template NAME",
    );
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

function readAdopt(vnf: string, objects: readonly string[], values: Values, command: Command): AdoptRequest {
  const { vim, namespace = "default", into = `vnf-packages/${vnf}` } = values;
  const other = objects.find((one) => !/^[A-Za-z][A-Za-z0-9.-]*\/[a-z0-9][a-z0-9.-]*$/.test(one));
  if (other !== undefined) throw wrong(command, `"${other}" is no KIND/NAME, such as Deployment/web`);
  return { objects: [...new Set(objects)], namespace, into, ...(vim !== undefined && { vim }) };
}

function readInit(values: Values, command: Command): InitRequest {
  const { network, "external-network": external, yes = false, overwrite = false } = values;
  if (external !== undefined && network !== undefined && network !== "new")
    throw wrong(command, "--external-network goes with a new network: leave --network out");
  return {
    given: {
      ...{ network: network ?? (external && "new"), "external-network": external },
      ...{ "node-image": values["node-image"], "management-cidr": values["management-cidr"] },
      ...{ "master-flavor": values["master-flavor"], "worker-flavor": values["worker-flavor"] },
    },
    ...{ yes, overwrite },
  };
}

function readFormat({ format = "text" }: Values, command: Command): Format {
  if (Object.hasOwn(FORMATS, format)) return format as Format;
  throw wrong(command, `--format: "${format}" is not ${oneOf(Object.keys(FORMATS))}`);
}

function readNumber(option: string, text: string, least: number, command: Command): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text);
  throw wrong(command, `--${option}: "${text}" is no number of ${least} or more`);
}

function wrong(command: Command, message: string): UsageFault {
  return new UsageFault(`${message}\n${usageOf(command)}`);
}
