import { ofKind } from "../settings/kinds";
import { DEFINITIONS, resolve, withoutLinks, type Schema } from "../settings/schema-part";
import type { Kind } from "../program/program";

/**
 * A type of a property in the schema of a Pulumi package:
 * https://www.pulumi.com/docs/iac/guides/building-extending/packages/schema
 */
interface Type {
  readonly type?: string;
  readonly items?: Type;
  readonly additionalProperties?: Type;
  readonly $ref?: string;
}

interface Property extends Type {
  readonly description?: string;
  readonly secret?: boolean;
}

interface ObjectType {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

/** Description of each component, and the settings that are its inputs. */
const COMPONENTS: Readonly<
  Record<
    Kind,
    { readonly description: string; readonly schema: Schema; readonly required: readonly string[] }
  >
> = {
  Servers: {
    description: "Servers of a VNF.",
    schema: ofKind(DEFINITIONS.vnf, "servers"),
    required: ["package"],
  },
  KubernetesCluster: {
    description: "Servers that become a Kubernetes cluster by kubeadm.",
    schema: ofKind(DEFINITIONS.vnf, "cluster"),
    required: ["package", "additionalParams"],
  },
  Cnf: {
    description: "Kubernetes objects of a CNF on a cluster.",
    schema: ofKind(DEFINITIONS.vnf, "cnf"),
    required: ["package", "vim", "additionalParams"],
  },
  WorkloadCluster: {
    description: "A workload cluster of Cluster API.",
    schema: without(DEFINITIONS.cluster, "clusterTemplate"),
    required: ["vim"],
  },
};

const ANY: Type = { $ref: "pulumi.json#/Any" };

/** Types of what components show: see deploy/outputs.ts and render/access.ts. */
const SHOWN: Readonly<Record<string, ObjectType>> = {
  "vnfm:index:Vnf": {
    type: "object",
    properties: {
      vnfState: { type: "string", description: "In the words of SOL003." },
      vnfcs: {
        ...ANY,
        description: "VNFCs with their servers and addresses; of a CNF a list of its controllers.",
      },
      apiUrl: { type: "string", description: "URL of the API server of a cluster." },
      vimName: { type: "string", description: "Name of a cluster as a VIM." },
      kubernetesVersion: { type: "string" },
      podCidrs: { type: "array", items: { type: "string" } },
      serviceCidrs: { type: "array", items: { type: "string" } },
      certificates: {
        $ref: "#/types/vnfm:index:CertificateEnds",
        description: "When those of the masters of a kubeadm cluster end.",
      },
      persistentVolumes: { type: "array", items: { type: "string" } },
      virtualIps: {
        type: "object",
        additionalProperties: { $ref: "#/types/vnfm:index:VirtualIp" },
        description: "Addresses that servers share, by connection point.",
      },
      endpoints: {
        type: "array",
        items: { $ref: "#/types/vnfm:index:Endpoint" },
        description: "Services of a CNF.",
      },
      immutableHashes: {
        type: "object",
        additionalProperties: { type: "string" },
        description:
          "Of what nobody may change in the objects of a CNF's charts, for the next run to compare.",
      },
    },
    required: ["vnfState", "vnfcs"],
  },
  "vnfm:index:CertificateEnds": {
    type: "object",
    properties: {
      expiresAt: {
        type: "string",
        description: "Of the first that kubeadm renews, client certificates in its kubeconfigs among them.",
      },
      caExpiresAt: { type: "string", description: "Of the first CA." },
    },
    required: ["expiresAt", "caExpiresAt"],
  },
  "vnfm:index:VirtualIp": {
    type: "object",
    properties: { address: { type: "string" }, floatingIp: { type: "string" } },
    required: ["address"],
  },
  "vnfm:index:Endpoint": {
    type: "object",
    properties: {
      name: { type: "string" },
      namespace: { type: "string" },
      type: { type: "string" },
      ports: { type: "array", items: { $ref: "#/types/vnfm:index:EndpointPort" } },
      ingress: { type: "array", items: { type: "string" }, description: "Addresses of a load balancer." },
    },
    required: ["name", "namespace", "type", "ports", "ingress"],
  },
  "vnfm:index:EndpointPort": {
    type: "object",
    properties: { port: { type: "integer" }, nodePort: { type: "integer" }, protocol: { type: "string" } },
    required: ["port", "protocol"],
  },
  "vnfm:index:VimConnectionInfo": {
    type: "object",
    properties: {
      vim_type: { type: "string" },
      access_info: { type: "object", additionalProperties: { type: "string" } },
      interface_info: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["vim_type", "access_info", "interface_info"],
  },
};

const VNF: Readonly<Record<string, Property>> = {
  vnf: { $ref: "#/types/vnfm:index:Vnf", description: "What is made, without secrets." },
};
const CLUSTER: Readonly<Record<string, Property>> = {
  ...VNF,
  kubeconfig: { type: "string", secret: true, description: "Of the manager's service account." },
  vimConnectionInfo: {
    ...{ $ref: "#/types/vnfm:index:VimConnectionInfo", secret: true },
    description: "The cluster as a VIM, in the words of SOL003.",
  },
  apiUrl: { type: "string", description: "URL of the API server." },
};

/** The schema of the components as a Pulumi package, by which programs in all languages know their inputs. */
export function packageSchema(version: string): object {
  const types: Record<string, ObjectType> = { ...SHOWN };
  const resources = Object.entries(COMPONENTS).map(([kind, { description, schema, required }]) => {
    const inputs = objectOf(schema, kind, types);
    const properties = kind === "Servers" || kind === "Cnf" ? VNF : CLUSTER;
    return [
      `vnfm:index:${kind}`,
      {
        ...{ isComponent: true, type: "object", description },
        ...{ properties, required: Object.keys(properties) },
        inputProperties: { ...inputs.properties, ...("vim" in inputs.properties && { vim: vimOf(inputs) }) },
        requiredInputs: required,
      },
    ] as const;
  });
  return {
    ...{ name: "vnfm", version, displayName: "vnfm", license: "Apache-2.0" },
    description: "VNF instances of ETSI NFV on OpenStack and Kubernetes",
    types,
    resources: Object.fromEntries(resources),
  };
}

/** A component, or what the stack config has. */
function vimOf({ properties }: ObjectType): Property {
  const { description = "" } = properties["vim"] ?? {};
  return { ...ANY, description: `A KubernetesCluster or WorkloadCluster. Or: ${description}` };
}

/** @param types gets those of maps that have named settings in them */
function objectOf(
  { properties = {}, required }: Schema,
  name: string,
  types: Record<string, ObjectType>,
): ObjectType {
  const entries = Object.entries(properties).map(([key, part]) => {
    const known = resolve(part);
    const { description = known.description } = part;
    return [
      key,
      {
        ...typeOf(part, `${name}${capital(key)}`, types),
        ...(description !== undefined && { description: withoutLinks(description) }),
        ...(known.writeOnly && { secret: true }),
      },
    ] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    ...(required !== undefined && { required }),
  };
}

function typeOf(part: Schema, name: string, types: Record<string, ObjectType>): Type {
  const known = resolve(part);
  if (known.anyOf !== undefined || known.oneOf !== undefined) return ANY;
  switch (known.type) {
    case "string":
    case "boolean":
    case "integer":
    case "number":
      return { type: known.type };
    case "array":
      return { type: "array", items: typeOf(known.items ?? {}, `${name}Item`, types) };
    case "object":
      return mapOf(
        known,
        part.$ref === undefined ? name : capital(part.$ref.split("/").at(-1) ?? name),
        types,
      );
    default:
      return known.enum?.every((one) => typeof one === "string") ? { type: "string" } : ANY;
  }
}

function mapOf(known: Schema, name: string, types: Record<string, ObjectType>): Type {
  const { properties, additionalProperties } = known;
  if (properties === undefined) {
    const item = typeof additionalProperties === "object" ? additionalProperties : {};
    return { type: "object", additionalProperties: typeOf(item, `${name}Value`, types) };
  }
  // a property whose name no language has, such as `lcm-kubernetes-def-files`, leaves the map as it is
  if (!Object.keys(properties).every((key) => /^[A-Za-z]\w*$/.test(key))) return ANY;
  const token = `vnfm:index:${name}`;
  if (types[token] === undefined) {
    types[token] = { type: "object", properties: {} }; // one that has itself in it ends here
    types[token] = objectOf(known, name, types);
  }
  return { $ref: `#/types/${token}` };
}

function without(schema: Schema, ...names: readonly string[]): Schema {
  const { properties = {}, required = [], ...others } = schema;
  const rest = Object.entries(properties).filter(([name]) => !names.includes(name));
  return {
    ...others,
    properties: Object.fromEntries(rest),
    required: required.filter((one) => !names.includes(one)),
  };
}

function capital(word: string): string {
  return word.replaceAll(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
