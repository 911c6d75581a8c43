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

/** Readers of fields of Cluster API and of its provider for OpenStack, in the versions of their APIs up to now. */

/** A value as a text; one that is none, as JSON. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export const same: Reader = (value) => ({ value });

/** A text, as the empty one says nothing. */
export const word: Reader = (value) =>
  typeof value === "object" ? { why: "is no text" } : { value: textOf(value) };

/** A number, which a variable writes as a text. */
export const number: Reader = (value) =>
  /^\d{1,9}$/.test(String(value)) ? { value: Number(value) } : { why: "is no whole number" };

export const boolean: Reader = (value) =>
  ["true", "false"].includes(String(value))
    ? { value: String(value) === "true" }
    : { why: "is neither true nor false" };

/** Another value where the field is `true`, and nothing where it is not. */
export const whenTrue =
  (value: unknown): Reader =>
  (given) =>
    String(given) === "true" ? { value } : undefined;

export const whenFalse =
  (value: unknown): Reader =>
  (given) =>
    String(given) === "false" ? { value } : undefined;

export const texts: Reader = (value) =>
  Array.isArray(value) ? { value: value.map(String) } : { why: "is no list" };

/** The only entry of a list. */
export const only =
  (read: Reader, what: string): Reader =>
  (value) => {
    const [first, ...others] = items(value);
    if (first === undefined) return undefined;
    const reading = read(first);
    if (others.length === 0 || reading === undefined || "why" in reading) return reading;
    return { ...reading, remark: `has ${others.length + 1} ${what}, of which the first one is taken` };
  };

/** A release of Kubernetes; what a distribution adds to it is left out. */
export const kubernetesVersion: Reader = (value) => {
  const [, release] = /^v?(1\.\d+\.\d+)([-+].*)?$/.exec(String(value)) ?? [];
  return release === undefined ? { why: "is no release of Kubernetes" } : { value: `v${release}` };
};

/** A duration, as Go writes it or in seconds. */
export const duration: Reader = (value) => {
  const seconds = typeof value === "number" ? value : secondsOf(String(value));
  if (seconds < 1) return { why: "is no limit, which the setting cannot say" };
  const [unit, size] = (
    [
      ["h", 3600],
      ["m", 60],
    ] as const
  ).find(([, its]) => seconds % its === 0) ?? ["s", 1];
  return { value: `${Math.round(seconds / size)}${unit}` };
};

/** Something of the cloud: a name, or the id or the name that it is looked for by. */
export const ofCloud: Reader = (value) => {
  if (!isFields(value)) return { value: String(value) };
  const paths = [["id"], ["name"], ["filter", "name"], ["filter", "id"], ["imageRef", "name"]];
  const named = paths.flatMap((path) => text(at(value, ...path)) ?? []);
  const isFound = named.length > 0 && Object.keys({ ...value, ...fields(value["filter"]) }).length <= 2;
  return isFound
    ? { value: named[0] }
    : { why: "is looked for by more than its id or name: name the one that is meant" };
};

/** Arguments of a program: a map, or a list of names and values. */
export function argumentsOf(value: unknown): Readonly<Record<string, string>> {
  const pairs = Array.isArray(value)
    ? value.map((one) => [String(at(one, "name")), at(one, "value")] as const)
    : Object.entries(fields(value));
  return Object.fromEntries(pairs.map(([name, its]) => [name, textOf(its ?? "")]));
}

/** Arguments by which programs know the cloud, which are those of the addon. */
const OF_CLOUD = ["cloud-provider", "cloud-config", "provider-id"];

export const kubeletArguments: Reader = (value) =>
  some(without(argumentsOf(value), ...OF_CLOUD, "node-labels"));

export const serverArguments: Reader = (value) => some(without(argumentsOf(value), ...OF_CLOUD));

/** Arguments of a component without a setting. */
export const patchedArguments: Reader = (value) => {
  const names = Object.keys(without(argumentsOf(value), ...OF_CLOUD));
  return names.length === 0
    ? undefined
    : {
        why: `has ${names.join(", ")}: change clusterConfiguration of the KubeadmControlPlane by \`patches\``,
      };
};

/** Labels among the arguments of a kubelet. */
export const labelsOfKubelet: Reader = (value) => {
  const labels = argumentsOf(value)["node-labels"];
  return labels === undefined ? undefined : some(readNodeLabels(labels));
};

/** Labels that Cluster API gives machines, of which nodes get some; those of Cluster API itself are made anew. */
export const labelsOfMachines: Reader = (value) =>
  some(
    Object.fromEntries(
      Object.entries(fields(value)).filter(
        ([key]) => !/(^|\.)cluster\.x-k8s\.io\//.test(key) || isKeptByClusterApi(key),
      ),
    ),
  );

/** A map as a reading; one without entries adds nothing. */
export function some(map: Fields): Reading | undefined {
  return Object.keys(map).length === 0 ? undefined : { value: map };
}

/** Names of objects, as remarks list them. */
export function namesOf(all: readonly unknown[]): string {
  return all.map((one) => String(at(one, "name"))).join(", ");
}

/** Rules of a security group that let in ports from blocks of addresses. */
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
          remark: `${namesOf(others)}: of other groups or directions; machines of the cluster reach each other`,
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

/** Octavia has `octavia` as another name of its provider `amphora`. */
export const loadBalancerProvider: Reader = (value) => {
  const name = String(value).toLowerCase();
  if (name === "amphora" || name === "octavia") return { value: "amphora" };
  return name === "ovn"
    ? { value: name }
    : { why: "is a provider that is not known here: amphora and ovn are" };
};

/** How long nodes may be not ready, which there is one setting for. */
export const unhealthyTimeout: Reader = (value) => {
  const conditions = items(value).map(fields);
  const ofReady = conditions.filter(({ type }) => type === "Ready");
  const timeouts = ofReady.flatMap(({ timeout, timeoutSeconds }) => {
    const reading = duration(timeout ?? timeoutSeconds);
    return reading !== undefined && "value" in reading ? [String(reading.value)] : [];
  });
  const [first] = timeouts;
  if (first === undefined) return { why: "has no condition Ready, by which machines are checked here" };
  const lost = [
    ...conditions.filter(({ type }) => type !== "Ready").map(({ type }) => String(type)),
    ...timeouts.filter((one) => one !== first),
  ];
  return {
    value: first,
    ...(lost.length > 0 && { remark: `${lost.join(", ")}: there is one time for the condition Ready` }),
  };
};
