import type { ComponentKind } from "../program/program";
import { paramsOf, vnfOf, type InstanceKind } from "../settings/kinds";
import { DEFINITIONS, resolve, type Schema } from "../settings/schema-part";
import { ANY, objectOf, type Property, type Types } from "./types";

/** Fields of package.json that the package schema contains too. */
export interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
}

/** A component and the settings that are its inputs. */
interface Component {
  readonly description: string;
  readonly schema: Schema;
  /** Settings in its `additionalParams`. Undefined: it has none. */
  readonly params?: Schema;
}

const COMPONENTS: Readonly<Record<ComponentKind, Component>> = {
  Servers: instance("servers", "Servers of a VNF."),
  KubernetesCluster: instance("cluster", "Servers that become a Kubernetes cluster by kubeadm."),
  Cnf: instance("cnf", "Kubernetes objects of a CNF on a cluster."),
  WorkloadCluster: {
    description: "A workload cluster of Cluster API.",
    schema: { ...without(DEFINITIONS.cluster, "clusterTemplate"), required: ["vim"] },
  },
};

function instance(kind: InstanceKind, description: string): Component {
  return { description, schema: vnfOf(kind), params: paramsOf(kind) };
}

/** Types of components' outputs: see deploy/outputs.ts and render/access.ts. */
const SHOWN: Readonly<Types> = {
  "vnfm:index:Vnf": {
    type: "object",
    properties: {
      vnfState: { type: "string", description: "In the terms of SOL003." },
      cloud: {
        type: "string",
        description: "Name of its cloud in clouds.yaml. Default: the cloud of the stack.",
      },
      vnfcs: {
        ...ANY,
        description: "VNFCs with their servers and addresses; for a CNF a list of its controllers.",
      },
      apiUrl: { type: "string", description: "URL of the API server of a cluster." },
      vimName: { type: "string", description: "Name of a cluster as a VIM." },
      kubernetesVersion: { type: "string" },
      podCidrs: { type: "array", items: { type: "string" } },
      serviceCidrs: { type: "array", items: { type: "string" } },
      certificates: {
        $ref: "#/types/vnfm:index:CertificateEnds",
        description: "Expiry of the certificates of a kubeadm cluster's control-plane nodes.",
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
          "Hashes of the immutable fields of a CNF's chart objects, for the next update to compare.",
      },
    },
    required: ["vnfState", "vnfcs"],
  },
  "vnfm:index:CertificateEnds": {
    type: "object",
    properties: {
      expiresAt: {
        type: "string",
        description:
          "Expiry of the first certificate that kubeadm renews, including client certificates in kubeconfigs.",
      },
      caExpiresAt: { type: "string", description: "Expiry of the first CA." },
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

/** Settings for generating the SDKs: each SDK has the version of the plugin. */
const LANGUAGES = {
  nodejs: { respectSchemaVersion: true },
  python: { respectSchemaVersion: true, pyproject: { enabled: true } },
  go: { respectSchemaVersion: true },
  csharp: { respectSchemaVersion: true },
};

const VNF: Readonly<Record<string, Property>> = {
  vnf: { $ref: "#/types/vnfm:index:Vnf", description: "What is created, without secrets." },
};
const CLUSTER: Readonly<Record<string, Property>> = {
  ...VNF,
  kubeconfig: { type: "string", secret: true, description: "Kubeconfig of vnfm's service account." },
  vimConnectionInfo: {
    ...{ $ref: "#/types/vnfm:index:VimConnectionInfo", secret: true },
    description: "The cluster as a VIM, in the terms of SOL003.",
  },
  apiUrl: { type: "string", description: "URL of the API server." },
};

/** Returns the Pulumi package schema of the components, which defines their inputs for all languages. */
export function packageSchema({ version, description, keywords, license }: Manifest): object {
  const types: Types = { ...SHOWN };
  const resources = Object.entries(COMPONENTS).map(([kind, { description, schema, params }]) => {
    const { properties = {} } = schema;
    const settings = {
      ...properties,
      ...(properties["vim"] && { vim: vimOf(properties["vim"]) }),
      ...(params && { additionalParams: params }),
    };
    const inputs = objectOf({ ...schema, properties: settings }, kind, types);
    const shown = kind === "Servers" || kind === "Cnf" ? VNF : CLUSTER;
    return [
      `vnfm:index:${kind}`,
      {
        ...{ isComponent: true, type: "object", description },
        ...{ properties: shown, required: Object.keys(shown) },
        inputProperties: inputs.properties,
        requiredInputs: inputs.required,
      },
    ] as const;
  });
  return {
    ...{ name: "vnfm", displayName: "vnfm", version, description, license, language: LANGUAGES },
    keywords: [...keywords, "category/infrastructure", "kind/component"],
    types,
    resources: Object.fromEntries(resources),
  };
}

/** Returns the schema of a VIM: a component of any type, or the form of the stack config. */
function vimOf(part: Schema): Schema {
  const { title } = resolve(part);
  const { description = "" } = { ...resolve(part), ...part };
  return { description: `A KubernetesCluster or WorkloadCluster, or ${title}. ${description}` };
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
