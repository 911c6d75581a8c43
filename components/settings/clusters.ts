import type { SchemaObject } from "ajv";
import { overlap, parseCidr } from "../cidr";
import { fields, isFields, type Fields } from "../kube/object";
import { didYouMean, oneOf } from "../nearest";
import { own } from "../own";
import { ajv } from "./ajv";
import { describeErrors } from "./faults";
import type { CredentialsReceiver } from "./model";
import { refine, type Findings } from "./refine";
import { DEFINITIONS } from "./schema-part";

/** A workload cluster by a template: the settings of the template, and its own over them. Defaults are filled in. */
export interface ClusterSettings {
  readonly clusterTemplate: string;
  /** Instance name of the cluster that Cluster API runs on. */
  readonly vim: string;
  /** Such as `v1.33.0`. */
  readonly kubernetesVersion: string;
  readonly image: string;
  readonly controlPlane: {
    readonly flavor: string;
    readonly replicas: number;
    readonly rootVolume?: RootVolume;
  };
  /** By name. */
  readonly nodeGroups: Readonly<Record<string, NodeGroup>>;
  readonly network: {
    readonly externalNetwork: string;
    readonly nodeCidr: string;
    readonly dnsNameservers?: readonly string[];
    readonly podCidr: string;
    readonly serviceCidr: string;
  };
  readonly apiServer: {
    readonly loadBalancerProvider?: "amphora" | "ovn";
    readonly allowedCidrs?: readonly string[];
  };
  readonly kubeadm: {
    readonly ignorePreflightErrors: readonly string[];
    readonly kubeletExtraArgs: Readonly<Record<string, string>>;
    readonly kubeProxyConfiguration?: Fields;
  };
  readonly credentialRoles?: readonly string[];
  readonly credentialsReceiver?: CredentialsReceiver;
  /** By name; those that are switched off are left out. */
  readonly addons: Readonly<Record<string, Addon>>;
  readonly readyTimeout: string;
}

export interface NodeGroup {
  readonly replicas: number;
  readonly flavor: string;
  readonly image?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly rootVolume?: RootVolume;
  readonly availabilityZone?: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

export interface RootVolume {
  readonly sizeGiB: number;
  readonly type?: string;
}

/** A chart of a repository. */
export interface Addon {
  readonly repository: string;
  /** @default the addon's name */
  readonly chart?: string;
  readonly version: string;
  readonly digest: string;
  readonly namespace?: string;
  readonly values?: Fields;
}

const SCHEMA = { type: "object", additionalProperties: { $ref: "#/definitions/cluster" } };
const validate = ajv.compile({ ...SCHEMA, definitions: DEFINITIONS } as SchemaObject);

/** Whether an instance of the stack config is a cluster by a template. */
export function hasTemplate(instance: unknown): boolean {
  return fields(instance)["clusterTemplate"] !== undefined;
}

/**
 * The clusters, each merged with its template: maps are merged, lists and plain values replaced, so `false` and `0` of a
 * cluster count. Secrets are wrapped. Appends what is wrong to
 * the findings.
 *
 * @param templates value of `vnfm:clusterTemplates`
 * @param instances those of `vnfm:vnfs` that have a template
 * @returns those with nothing wrong in them
 */
export function parseClusters(
  templates: unknown,
  instances: Readonly<Record<string, unknown>>,
  findings: Findings,
): Record<string, ClusterSettings> {
  const { faults } = findings;
  const known = Object.keys(fields(templates));
  const merged: Record<string, unknown> = {};
  for (const [name, instance] of Object.entries(instances)) {
    const template = String(fields(instance)["clusterTemplate"]);
    const base = own(fields(templates), template);
    if (isFields(base)) merged[name] = withGroups(merge(base, instance));
    else
      faults.push(
        `vnfm:vnfs.${name}.clusterTemplate: "${template}" is no template of vnfm:clusterTemplates; ${oneOf(known)}${didYouMean(template, known)}`,
      );
  }
  const found = validate(merged) ? [] : describeErrors(validate.errors ?? [], merged);
  for (const [name, value] of Object.entries(merged)) found.push(...problems(name, fields(value)));
  const before = faults.length;
  const refined = fields(refine(merged, SCHEMA, "vnfm:vnfs", findings));
  found.push(...faults.splice(before));
  faults.push(...found);
  const isRefused = (name: string) => found.some((fault) => fault.startsWith(`vnfm:vnfs.${name}.`));
  return Object.fromEntries(
    Object.entries(refined)
      .filter(([name]) => !isRefused(name))
      .map(([name, value]) => [name, withoutSwitchedOff(value as ClusterSettings)]),
  );
}

function merge(base: unknown, over: unknown): unknown {
  if (!isFields(base) || !isFields(over)) return structuredClone(over);
  const keys = [...new Set([...Object.keys(base), ...Object.keys(over)])];
  const merged = keys.map((key) => [
    key,
    own(over, key) === undefined ? structuredClone(own(base, key)) : merge(own(base, key), over[key]),
  ]);
  return Object.fromEntries(merged);
}

/** Each group with what `nodeGroup` says for all of them, which is then told. */
function withGroups(cluster: unknown): Fields {
  const { nodeGroup, ...rest } = fields(cluster);
  const groups = Object.entries(fields(rest["nodeGroups"]));
  return {
    ...rest,
    ...(rest["nodeGroups"] !== undefined && {
      nodeGroups: Object.fromEntries(
        groups.map(([name, group]) => [name, merge(fields(nodeGroup), group ?? {})]),
      ),
    }),
  };
}

/** What the schema cannot say. */
function problems(name: string, cluster: Fields): string[] {
  const path = `vnfm:vnfs.${name}`;
  const required = Object.entries(fields(cluster["nodeGroups"])).flatMap(([group, settings]) =>
    ["replicas", "flavor"]
      .filter((key) => fields(settings)[key] === undefined)
      .map((key) => `${path}.nodeGroups.${group}.${key}: is required, there or under nodeGroup`),
  );
  const { allowedCidrs, loadBalancerProvider } = fields(cluster["apiServer"]);
  const lists =
    allowedCidrs !== undefined && loadBalancerProvider === "ovn"
      ? [
          `${path}.apiServer.allowedCidrs: Octavia's provider ovn has no such lists; leave them out, or use amphora`,
        ]
      : [];
  return [...required, ...lists, ...overlaps(path, fields(cluster["network"]))];
}

/** Networks of which one is in another: packets to the one would go to the other. */
function overlaps(path: string, network: Fields): string[] {
  const names = ["nodeCidr", "podCidr", "serviceCidr"];
  return names.flatMap((name, i) =>
    names.slice(0, i).flatMap((other) => {
      const [one, two] = [name, other].map((key) => parseCidr(String(network[key])));
      if (!one || !two || !overlap(one, two)) return [];
      return [`${path}.network.${name}: ${one.text} overlaps ${other} ${two.text}; give one of them another`];
    }),
  );
}

function withoutSwitchedOff(cluster: ClusterSettings): ClusterSettings {
  const addons: [string, unknown][] = Object.entries(cluster.addons);
  return {
    ...cluster,
    addons: Object.fromEntries(addons.filter(([, addon]) => addon !== false)) as ClusterSettings["addons"],
  };
}
