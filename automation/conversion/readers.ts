import { secondsOf } from "../../components/base/duration";
import {
  at,
  fields,
  isFields,
  items,
  text,
  without,
  type Fields,
} from "../../components/kube/objects/object";
import { isKeptByClusterApi, readNodeLabels } from "../../components/kube/cluster/node-labels";
import type { Reader, Reading } from "./taken";

/** Readers of fields of Cluster API and of its provider for OpenStack, in all versions of their APIs. */

/** A value as a text; other types than texts become JSON. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export const same: Reader = (value) => ({ value });

/** Reads a text; an empty one is left out. */
export const word: Reader = (value) =>
  typeof value === "object" ? { why: "is not a string" } : { value: textOf(value) };

/** Reads a number, which is a text if it comes from a variable. */
export const number: Reader = (value) =>
  /^\d{1,9}$/.test(String(value)) ? { value: Number(value) } : { why: "is not a whole number" };

export const boolean: Reader = (value) =>
  ["true", "false"].includes(String(value))
    ? { value: String(value) === "true" }
    : { why: "is neither true nor false" };

/** A reader that returns another value if the field is `true`, and nothing otherwise. */
export const whenTrue =
  (value: unknown): Reader =>
  (field) =>
    String(field) === "true" ? { value } : undefined;

export const whenFalse =
  (value: unknown): Reader =>
  (field) =>
    String(field) === "false" ? { value } : undefined;

export const texts: Reader = (value) =>
  Array.isArray(value) ? { value: value.map(String) } : { why: "is not a list" };

/** A reader of the first entry of a list, with a remark if there are several. */
export const only =
  (read: Reader, what: string): Reader =>
  (value) => {
    const [first, ...others] = items(value);
    if (first === undefined) return undefined;
    const reading = read(first);
    if (others.length === 0 || reading === undefined || "why" in reading) return reading;
    return { ...reading, remark: `has ${others.length + 1} ${what}, of which the first one is used` };
  };

/** Reads a release of Kubernetes without the suffix of a distribution. */
export const kubernetesVersion: Reader = (value) => {
  const [, release] = /^v?(1\.\d+\.\d+)([-+].*)?$/.exec(String(value)) ?? [];
  return release === undefined ? { why: "is not a release of Kubernetes" } : { value: `v${release}` };
};

/** Reads a duration, in Go's format or in seconds. */
export const duration: Reader = (value) => {
  const seconds = typeof value === "number" ? value : secondsOf(String(value));
  if (seconds < 1) return { why: "means no limit, which the setting cannot express" };
  const [unit, size] = (
    [
      ["h", 3600],
      ["m", 60],
    ] as const
  ).find(([, unitLength]) => seconds % unitLength === 0) ?? ["s", 1];
  return { value: `${Math.round(seconds / size)}${unit}` };
};

/** Reads a reference to a resource of the cloud: a name, or a filter by id or name. */
export const ofCloud: Reader = (value) => {
  if (!isFields(value)) return { value: String(value) };
  const paths = [["id"], ["name"], ["filter", "name"], ["filter", "id"], ["imageRef", "name"]];
  const named = paths.flatMap((path) => text(at(value, ...path)) ?? []);
  const isFound = named.length > 0 && Object.keys({ ...value, ...fields(value["filter"]) }).length <= 2;
  return isFound
    ? { value: named[0] }
    : { why: "is selected by more than its id or name: set the name of the one that is meant" };
};

/** Arguments of a program: a map, or a list of names and values. */
export function argumentsOf(value: unknown): Readonly<Record<string, string>> {
  const pairs = Array.isArray(value)
    ? value.map((one) => [String(at(one, "name")), at(one, "value")] as const)
    : Object.entries(fields(value));
  return Object.fromEntries(pairs.map(([name, content]) => [name, textOf(content ?? "")]));
}

/** Arguments about the cloud, which vnfm or an addon sets. */
const OF_CLOUD = ["cloud-provider", "cloud-config", "provider-id"];

export const kubeletArguments: Reader = (value) =>
  some(without(argumentsOf(value), ...OF_CLOUD, "node-labels"));

export const serverArguments: Reader = (value) => some(without(argumentsOf(value), ...OF_CLOUD));

/** Reads arguments of a component for which there is no setting; they become a patch. */
export const patchedArguments: Reader = (value) => {
  const names = Object.keys(without(argumentsOf(value), ...OF_CLOUD));
  return names.length === 0
    ? undefined
    : {
        why: `has ${names.join(", ")}: change clusterConfiguration of the KubeadmControlPlane by \`patches\``,
      };
};

/** Reads labels among the arguments of a kubelet. */
export const labelsOfKubelet: Reader = (value) => {
  const labels = argumentsOf(value)["node-labels"];
  return labels === undefined ? undefined : some(readNodeLabels(labels));
};

/** Reads labels of machines. Cluster API copies some of them to nodes, and adds its own labels again. */
export const labelsOfMachines: Reader = (value) =>
  some(
    Object.fromEntries(
      Object.entries(fields(value)).filter(
        ([key]) => !/(^|\.)cluster\.x-k8s\.io\//.test(key) || isKeptByClusterApi(key),
      ),
    ),
  );

/** Returns a map as the result of a reader; undefined if the map is empty. */
export function some(map: Fields): Reading | undefined {
  return Object.keys(map).length === 0 ? undefined : { value: map };
}

/** Names of objects, as remarks list them. */
export function namesOf(all: readonly unknown[]): string {
  return all.map((one) => String(at(one, "name"))).join(", ");
}

/** Reads ingress rules of a security group for ports and address blocks. */
export const ingressRules: Reader = (value) => {
  const rules = items(value).map((rule) => ({ rule: fields(rule), traffic: trafficOf(fields(rule)) }));
  const found = rules.flatMap(({ rule, traffic }) =>
    traffic === undefined ? [] : [{ ports: [traffic], cidrs: [String(rule["remoteIPPrefix"])] }],
  );
  const others = rules.filter(({ traffic }) => traffic === undefined).map(({ rule }) => rule);
  const remark =
    others.length === 0
      ? {}
      : {
          remark: `${namesOf(others)}: they belong to other groups or directions; machines of the cluster reach each other`,
        };
  return found.length === 0 && others.length === 0 ? undefined : { value: found, ...remark };
};

function trafficOf(rule: Fields): string | undefined {
  const { protocol, direction = "ingress", portRangeMin: first, portRangeMax: last = first } = rule;
  if (direction !== "ingress" || rule["remoteIPPrefix"] === undefined || protocol === undefined)
    return undefined;
  if (first === undefined) return textOf(protocol);
  return `${textOf(protocol)}/${textOf(first)}${first === last ? "" : `-${String(last)}`}`;
}

/** Reads a provider of Octavia; `octavia` is an alias of `amphora`. */
export const loadBalancerProvider: Reader = (value) => {
  const name = String(value).toLowerCase();
  if (name === "amphora" || name === "octavia") return { value: "amphora" };
  return name === "ovn"
    ? { value: name }
    : { why: "is a provider that is not supported: use amphora or ovn" };
};

/** Reads the time that nodes may be not ready: there is one setting for all conditions. */
export const unhealthyTimeout: Reader = (value) => {
  const conditions = items(value).map(fields);
  const ofReady = conditions.filter(({ type }) => type === "Ready");
  const timeouts = ofReady.flatMap(({ timeout, timeoutSeconds }) => {
    const reading = duration(timeout ?? timeoutSeconds);
    return reading !== undefined && "value" in reading ? [String(reading.value)] : [];
  });
  const [first] = timeouts;
  if (first === undefined)
    return { why: "does not have the condition Ready, which is the one that machines are checked by" };
  const lost = [
    ...conditions.filter(({ type }) => type !== "Ready").map(({ type }) => String(type)),
    ...timeouts.filter((one) => one !== first),
  ];
  return {
    value: first,
    ...(lost.length > 0 && {
      remark: `${lost.join(", ")}: there is only one timeout for the condition Ready`,
    }),
  };
};
