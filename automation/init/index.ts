import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { filesOf, type ProjectFiles } from "../../components/gather/project-files";
import { OpenStack } from "../../components/openstack/session";
import { own } from "../../components/base/own";
import { stackConfigSchema } from "../../components/settings/stack-config-schema";
import { writeWhole } from "../../components/base/whole-file";
import { yamlData } from "../../components/base/yaml/yaml";
import { Fault } from "../fault";
import { ConfigFile } from "../stack/config-file";
import { intentOf } from "../stack/intent";
import type { PulumiStack } from "../stack/pulumi";
import type { Vnfs } from "../stack/stack-config";
import { chooseAll, type NodeVdus } from "./ask";
import {
  assertNoVnfs,
  CNF_INSTANCE,
  firstCnf,
  FLAVOUR,
  PACKAGE,
  SCHEMA_FILE,
  withFirstCluster,
} from "./config-text";
import { readCloudOffer } from "./offer";
import { ownAddress } from "./own-address";
import { byDefault, byTerminal } from "./questions";

/** Options of `vnfm init`. */
export interface InitRequest {
  /** Answers by the names of their options. */
  readonly answers: Readonly<Record<string, string | undefined>>;
  /** True if there are no prompts: missing answers get their defaults. */
  readonly yes: boolean;
  /** VNF package of a CNF for the cluster. @default there is none */
  readonly cnf?: string | undefined;
  /** True if existing VNFs of the stack config may be replaced. */
  readonly overwrite: boolean;
}

/**
 * Writes a stack config for a first cluster from resources of the cloud. Nothing is created.
 * @param printLine prints a line before a question
 * @returns the result and the next steps, as lines
 * @throws UsageFault if the stack config has VNFs, or if the cloud does not have a requested resource
 */
export async function init(
  stack: PulumiStack,
  { answers, yes, overwrite, cnf }: InitRequest,
  printLine: (line: string) => void,
): Promise<readonly string[]> {
  const path = stack.configFile;
  const file = existsSync(path) ? new ConfigFile(path) : undefined;
  const text = file?.text ?? "";
  // before the questions, which would be in vain
  if (!overwrite) assertNoVnfs(text);
  const files = filesOf(stack.folder);
  const cnfs = cnf === undefined ? {} : { [CNF_INSTANCE]: firstCnf(cnf, files) };
  const config = await stack.config();
  const access = await stack.cloud();
  const offer = await readCloudOffer(await OpenStack.connect(access));
  const answer = yes ? byDefault(answers) : byTerminal(answers, printLine);
  const { hostname } = new URL(access.auth_url);
  const choices = await chooseAll(offer, nodeVdus(files), answer, ownAddress, hostname);
  const cloud = config["openstack:cloud"] ?? process.env["OS_CLOUD"];
  const written = withFirstCluster(text, choices, cloud, cnfs);
  intentOf({ vnfs: vnfsOf(written), files }); // every fault that the program would find without a cloud
  if (file === undefined) writeFileSync(path, written, { flag: "wx", mode: 0o644 });
  else file.write(written);
  writeWhole(join(dirname(path), SCHEMA_FILE), `${JSON.stringify(stackConfigSchema(), undefined, 2)}\n`);
  return [
    `${relative(stack.folder, path)} contains a first cluster, and ${SCHEMA_FILE} the schema for editors`,
    `next: pulumi preview --stack ${stack.name}`,
  ];
}

/** The VDUs of the package's master and workers. */
function nodeVdus({ loadPackage }: ProjectFiles): NodeVdus {
  const flavour = own(loadPackage(PACKAGE).vnfd.flavours, FLAVOUR);
  const [master, worker] = ["masterNode", "workerNode"].map((vdu) => flavour && own(flavour.vdus, vdu));
  if (master === undefined || worker === undefined)
    throw new Fault(`${PACKAGE} has no flavour ${FLAVOUR} with masterNode and workerNode`);
  return { master, worker };
}

function vnfsOf(text: string): Vnfs {
  const { config } = yamlData(text, "the stack config") as {
    readonly config: Readonly<Record<string, unknown>>;
  };
  return config["vnfm:vnfs"] as Vnfs;
}
