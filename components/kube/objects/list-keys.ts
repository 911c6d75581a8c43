import { own } from "../../base/own";
import { groupKind } from "./kinds";
import { fields, items, type KubeObject } from "./object";
import { templatePath } from "./pods";

/** Fields that identify the entries of a list. Empty: the whole value identifies an entry. */
type Keys = readonly string[];

/** Keys of lists by the path of the list, in which `*` stands for each entry of a list. */
type ListKeys = Readonly<Record<string, Keys>>;

const NAME: Keys = ["name"];
const ENTRY: Keys = [];

const OF_CONTAINERS: ListKeys = {
  env: NAME,
  ports: ["containerPort", "protocol"],
  "resources.claims": NAME,
  "restartPolicyRules.*.exitCodes.values": ENTRY,
  volumeDevices: ["devicePath"],
  volumeMounts: ["mountPath"],
};

/** Lists in a pod's spec. */
const OF_PODS: ListKeys = {
  ...ofContainers("initContainers"),
  ...ofContainers("containers"),
  ...ofContainers("ephemeralContainers"),
  hostAliases: ["ip"],
  imagePullSecrets: NAME,
  resourceClaims: NAME,
  "resources.claims": NAME,
  schedulingGates: NAME,
  topologySpreadConstraints: ["topologyKey", "whenUnsatisfiable"],
  volumes: NAME,
};

const OF_WEBHOOKS: ListKeys = { webhooks: NAME, "webhooks.*.matchConditions": NAME };

/** Lists of each kind, in addition to those of its pods. */
const OF_KINDS: Readonly<Record<string, ListKeys>> = {
  "/Service": { "spec.ports": ["port", "protocol"] },
  "/ServiceAccount": { secrets: NAME },
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": { "spec.matchConditions": NAME },
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": OF_WEBHOOKS,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": {
    "spec.matchConditions": NAME,
    "spec.variables": NAME,
  },
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": { "spec.validationActions": ENTRY },
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": OF_WEBHOOKS,
  "batch/CronJob": { "spec.jobTemplate.spec.podFailurePolicy.rules.*.onExitCodes.values": ENTRY },
  "batch/Job": { "spec.podFailurePolicy.rules.*.onExitCodes.values": ENTRY },
  "discovery.k8s.io/EndpointSlice": { "endpoints.*.addresses": ENTRY },
  "storage.k8s.io/CSIDriver": { "spec.volumeLifecycleModes": ENTRY },
};

/** Default values of omitted fields. */
const DEFAULTS: Readonly<Record<string, unknown>> = { protocol: "TCP" };

export interface DuplicateEntry {
  /** Path of the entry in the object. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Lists entries that server-side apply rejects, because an earlier one has the same keys: of lists with the types `map`
 * and `set` in Kubernetes' OpenAPI (v1.31 to v1.36). kubectl's client-side apply accepts them, and uses the last one.
 */
export function duplicateEntries(object: KubeObject): readonly DuplicateEntry[] {
  const template = templatePath(object);
  const lists = {
    "metadata.finalizers": ENTRY,
    ...own(OF_KINDS, groupKind(object)),
    ...(template && below([...template, "spec"].join("."), OF_PODS)),
  };
  return Object.entries(lists).flatMap(([path, keys]) =>
    listsAt(object, path.split(".")).flatMap((list) => duplicatesOf(list, keys)),
  );
}

function ofContainers(list: string): ListKeys {
  return { [list]: NAME, ...below(`${list}.*`, OF_CONTAINERS) };
}

function below(path: string, lists: ListKeys): ListKeys {
  return Object.fromEntries(Object.entries(lists).map(([inner, keys]) => [`${path}.${inner}`, keys]));
}

interface List {
  readonly path: readonly (string | number)[];
  readonly entries: readonly unknown[];
}

/** Returns the lists at a path; each list on the path multiplies them by its entries. */
function listsAt(value: unknown, [part, ...rest]: readonly string[], path: List["path"] = []): List[] {
  if (part === undefined) return [{ path, entries: items(value) }];
  if (part !== "*") return listsAt(fields(value)[part], rest, [...path, part]);
  return items(value).flatMap((entry, i) => listsAt(entry, rest, [...path, i]));
}

function duplicatesOf({ path, entries }: List, keys: Keys): DuplicateEntry[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, i) => {
    const values = keys.length === 0 ? [entry] : keys.map((key) => fields(entry)[key] ?? DEFAULTS[key]);
    // the API server reports missing fields
    if (values.includes(undefined)) return [];
    const id = JSON.stringify(values);
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, i);
      return [];
    }
    const what =
      keys.length === 0 ? String(entry) : keys.map((key, k) => `${key} ${String(values[k])}`).join(", ");
    const message = `${what} is also that of [${before}], which server-side apply rejects; remove one of the two`;
    return [{ path: [...path, i], message: `${shownPath([...path, i])}: ${message}` }];
  });
}

function shownPath(path: List["path"]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .slice(1);
}
