import type { SchemaObject } from "ajv";
import Ajv from "ajv";
import type { ProjectFiles } from "../../components/gather/project-files";
import { stackConfigSchema } from "../../components/settings/stack-config-schema";
import { isScalar, yamlData, yamlDocument } from "../../components/base/yaml/yaml";
import { UsageFault } from "../fault";
import type { Choices } from "./choices";

/** The VNF package and the flavour of the first cluster, which has a single control plane. */
export const PACKAGE = "vnf-packages/kubernetes-cluster";
export const FLAVOUR = "simple";

/** Name of the first cluster. */
export const INSTANCE = "vnf-a";
/** Name of the CNF on it. */
export const CNF_INSTANCE = "vnf-b";

/** Path of the schema for editors, from the folder of the stack config. */
export const SCHEMA_FILE = "vnfm.schema.json";

const FIRST_LINE = ` yaml-language-server: $schema=${SCHEMA_FILE}`;
const NOTE = " A first cluster, written by `vnfm init`. docs/stack-config.md describes all settings.";

const INSTALLATION = ["additionalParams", "k8s_cluster_installation_param"];
/** Comments for the operator, by the path of the setting. */
const COMMENTS: readonly (readonly [path: readonly (string | number)[], comment: string])[] = [
  [["scale", "worker_instance"], "level 0 is one worker, each level adds one"],
  [[...INSTALLATION, "master_node", "username"], "user that vnfm logs in as"],
  [[...INSTALLATION, "management_cidrs", 0], "may reach SSH, the API and node ports"],
];

/** CIDR of a network that is created for the nodes; docs/tenant-networks.md describes it. */
const NODE_CIDR = "10.20.0.0/24";

/** The first cluster as a VNF instance of the stack config. */
export function firstCluster(choices: Choices): object {
  const { network, image, username, masterFlavor, workerFlavor, managementCidr } = choices;
  const isNew = "externalNetwork" in network;
  const link = isNew ? { virtualLink: "nodes" } : { network: network.existing };
  return {
    package: PACKAGE,
    flavour: FLAVOUR,
    scale: { worker_instance: 1 },
    images: { masterNode: image, workerNode: image },
    flavors: { masterNode: masterFlavor, workerNode: workerFlavor },
    ...(isNew && {
      virtualLinks: {
        nodes: { subnets: [{ cidr: NODE_CIDR }], router: { externalNetwork: network.externalNetwork } },
      },
    }),
    extVirtualLinks: {
      masterNode_CP1: { ...link, ...(isNew && { floatingNetwork: network.externalNetwork }) },
      workerNode_CP2: link,
    },
    additionalParams: {
      k8s_cluster_installation_param: {
        master_node: {
          ssh_cp_name: "masterNode_CP1",
          username,
          pod_cidr: "10.244.0.0/16",
          cluster_cidr: "10.96.0.0/12",
        },
        worker_node: { aspect_id: "worker_instance", ssh_cp_name: "workerNode_CP2", username },
        ...(isNew && { jump_host: { vnfc: "masterNode-1" } }),
        management_cidrs: [managementCidr],
      },
    },
  };
}

/**
 * A CNF on the first cluster, with all manifests in the default folder of its VNF package.
 * @throws UsageFault if there are none
 */
export function firstCnf(location: string, { loadPackage }: Pick<ProjectFiles, "loadPackage">): object {
  const manifests = loadPackage(location)
    .files.list()
    .filter((file) => /^Files\/kubernetes\/[^/]+\.ya?ml$/.test(file));
  if (manifests.length === 0)
    throw new UsageFault(`--cnf: ${location} has no manifests, which are Files/kubernetes/*.yaml`);
  return {
    package: location,
    vim: INSTANCE,
    additionalParams: { "lcm-kubernetes-def-files": manifests.sort() },
  };
}

/**
 * The text of a stack config with a first cluster, and CNFs on it. Other entries of the file stay: settings of the
 * cloud, and Pulumi's data about its secrets.
 * @param text of the file; empty if there is none
 * @param cloud name in clouds.yaml. Undefined: the OS_* variables are used
 * @param cnfs CNFs on the cluster, by name
 */
export function withFirstCluster(
  text: string,
  choices: Choices,
  cloud: string | undefined,
  cnfs: Readonly<Record<string, object>> = {},
): string {
  // the whole file is written again, so integers of any size must stay the same
  const document = yamlDocument(text, "the stack config", { intAsBigInt: true });
  if (document.contents === null) document.contents = document.createNode({});
  const set = (key: string, value: unknown): void => document.setIn(["config", key], value);
  const has = (key: string): boolean => document.hasIn(["config", key]);
  // an empty mapping in braces would put all of it into one line
  if (!document.hasIn(["config"])) document.set("config", document.createNode({}, { flow: false }));
  if (cloud !== undefined && !has("openstack:cloud")) set("openstack:cloud", cloud);
  if (!has("pulumi:disable-default-providers")) set("pulumi:disable-default-providers", ["kubernetes"]);
  set("vnfm:vnfs", document.createNode({ [INSTANCE]: firstCluster(choices), ...cnfs }));
  for (const [path, comment] of COMMENTS) {
    const value = document.getIn(["config", "vnfm:vnfs", INSTANCE, ...path], true);
    if (isScalar(value)) value.comment = ` ${comment}`;
  }
  if (!text.includes("yaml-language-server"))
    document.commentBefore = [FIRST_LINE, NOTE, document.commentBefore].filter(Boolean).join("\n");
  const written = document.toString({ lineWidth: 110, flowCollectionPadding: false });
  assertValid(yamlData(written, "the first stack config"));
  return written;
}

/** @throws UsageFault if the text of a stack config has VNFs */
export function assertNoVnfs(text: string): void {
  const config = yamlData(text, "the stack config") as StackConfig | null;
  const vnfs = Object.keys(config?.config?.["vnfm:vnfs"] ?? {});
  if (vnfs.length === 0) return;
  throw new UsageFault(
    `the stack config already has vnfm:vnfs, with ${vnfs.join(", ")}: nothing was written; --overwrite replaces them with a first ` +
      "cluster, and the next 'pulumi up' deletes what was created from them",
  );
}

interface StackConfig {
  readonly config?: { readonly "vnfm:vnfs"?: Readonly<Record<string, unknown>> | null };
}

/** @throws Error, not a Fault, because only a bug can cause an invalid text */
function assertValid(config: unknown): void {
  const ajv = new Ajv({ allErrors: true, validateFormats: false, allowUnionTypes: true });
  if (ajv.validate(stackConfigSchema() as SchemaObject, config)) return;
  throw new Error(`the first stack config is not valid: ${ajv.errorsText()}`);
}
