import clusterSchema from "./cluster-schema.json";
import { DEFINITIONS, resolve, withoutLinks, type Schema } from "./schema-part";
import schema from "./schema.json";

/** Schema of the encrypted value that `pulumi config set --secret` writes. */
const ENCRYPTED = {
  title: "encrypted by `pulumi config set --secret --path`",
  type: "object",
  required: ["secure"],
  additionalProperties: false,
  properties: { secure: { description: "The encrypted value.", type: "string" } },
};

/**
 * A JSON Schema (draft 07) of a whole `Pulumi.<stack>.yaml`, for editors. It differs from the schemas of the settings
 * because the file differs from the parsed settings: secrets may be encrypted, and a cluster and its template may each
 * have only some of the settings. Editors ignore vnfm's own formats, such as that of a CIDR.
 *
 * @see https://www.pulumi.com/docs/iac/concepts/projects/stack-settings-file/ for the keys next to `config`
 */
export function stackConfigSchema(): object {
  const settings = {
    "vnfm:vnfs": mapOf(schema, "instance"),
    "vnfm:clusterTemplates": mapOf(clusterSchema, "clusterPart"),
    "vnfm:policy": {
      description:
        "The site's rules: a JSON Schema of `vnfm:vnfs`, as a file relative to the folder of Pulumi.yaml.",
      type: "string",
      minLength: 1,
    },
  };
  const parts = Object.entries(DEFINITIONS).map(([name, part]) => [name, asInFile(part as Schema)] as const);
  return {
    $schema: schema.$schema,
    title: "Pulumi.<stack>.yaml of vnfm",
    type: "object",
    additionalProperties: false,
    properties: {
      config: {
        description: "Settings by `<namespace>:<name>`.",
        type: "object",
        propertyNames: { pattern: `^(${Object.keys(settings).join("|")}|(?!vnfm:)[^:]+:.+)$` },
        properties: {
          "openstack:cloud": {
            description:
              "The cloud of clouds.yaml in which servers are created. Default: that of the `OS_*` variables.",
            type: "string",
          },
          "pulumi:disable-default-providers": {
            description:
              "`[kubernetes]`: no object can be created on the cluster of a kubeconfig of the environment.",
            type: "array",
            items: { type: "string" },
          },
          ...settings,
        },
      },
      secretsprovider: { description: "What encrypts the secrets of the stack.", type: "string" },
      encryptionsalt: { description: "Pulumi's, of a passphrase.", type: "string" },
      encryptedkey: { description: "Pulumi's, of a key management service.", type: "string" },
      environment: { description: "Environments of Pulumi ESC." },
    },
    definitions: {
      ...Object.fromEntries(parts),
      instance: {
        type: "object",
        properties: { clusterTemplate: clusterSchema.definitions.cluster.properties.clusterTemplate },
        if: { required: ["clusterTemplate"] },
        then: { $ref: "#/definitions/clusterPart" },
        else: { $ref: "#/definitions/vnf" },
      },
      clusterPart: clusterPart(),
    },
  };
}

/** The schema of a setting that is a map, with another definition for its values. */
function mapOf(setting: object, definition: string): object {
  const map = without(setting, ["$schema", "definitions"]);
  return { ...map, additionalProperties: { $ref: `#/definitions/${definition}` } };
}

/** The schema of a cluster and of a template: nothing is required, as vnfm merges the two. */
function clusterPart(): Schema {
  const { cluster, nodeGroup } = clusterSchema.definitions;
  const { properties, ...rest } = partOf(cluster);
  // the program accepts any map: errors in it are reported at each group
  const ofAllGroups = { ...properties?.["nodeGroup"], ...partOf(nodeGroup) };
  return asInFile({ ...rest, properties: { ...properties, nodeGroup: ofAllGroups } });
}

/** A schema without `required`. Lists are not merged, so their items stay complete. */
function partOf(whole: Schema): Schema {
  const known = resolve(whole);
  return known.type === "array" ? known : withInner(without(known, ["required"]), partOf);
}

function without<T extends object>(from: T, keys: readonly string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key))) as T;
}

/** A schema for the file: secrets may be encrypted, and vnfm's own keywords are removed. */
function asInFile(part: Schema): Schema {
  const { description, examples, encrypted, ...others } = withInner(part, asInFile);
  const rest = without(others, ["kinds", "late", "instead"]);
  const described = {
    ...(description !== undefined && { description: withoutLinks(description) }),
    ...(examples !== undefined && { examples }),
  };
  if (part.writeOnly === true || (encrypted === true && part.type !== "object"))
    return { ...described, anyOf: [ENCRYPTED, rest] };
  return encrypted === true && typeof rest.additionalProperties === "object"
    ? { ...described, ...rest, additionalProperties: { anyOf: [ENCRYPTED, rest.additionalProperties] } }
    : { ...described, ...rest };
}

/** A schema with a change applied to each schema in it: of properties, items and alternatives. */
function withInner(part: Schema, change: (inner: Schema) => Schema): Schema {
  const { properties, additionalProperties, items, anyOf } = part;
  const changed = Object.entries(properties ?? {}).map(([name, inner]) => [name, change(inner)] as const);
  return {
    ...part,
    ...(properties !== undefined && { properties: Object.fromEntries(changed) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: change(additionalProperties) }),
    ...(items !== undefined && { items: change(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(change) }),
  };
}
