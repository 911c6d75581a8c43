import type { Part } from "../../automation/changes/changes";
import type { PartKind } from "../../automation/changes/kinds";
import type { Subject } from "../../automation/changes/subject";
import { textOf, type Model, type Seen } from "./model";

/** The parts of a preview that are compared with the cloud. */
export interface ProvenPreview {
  readonly changes: readonly { readonly parts: readonly Part[] }[];
}

/** Change of a cloud resource or Kubernetes object between two observations. */
type Effect = "appeared" | "gone" | "replaced" | "changed" | "same";

/** Difference between a preview and the cloud. */
export interface Difference {
  /** `unannounced`: the cloud changed without a part of the preview. `not kept`: a part, but no change. */
  readonly kind: "unannounced" | "not kept";
  /** Text of the subject. */
  readonly subject: string;
  readonly announced: readonly Pick<Part, "action" | "differs">[];
  readonly effect: Effect;
  /** Fields that changed; of an announcement that was not kept, the announced properties. */
  readonly fields: readonly string[];
}

/** Kinds of resources that are observed completely, in Nova, Neutron, Cinder, Keystone and a Kubernetes API. */
const OBSERVED: readonly PartKind[] = [
  ...(["server", "serverGroup", "volume", "volumeAttachment", "network", "subnet"] as const),
  ...(["router", "routerInterface", "port", "floatingIp", "securityGroup", "applicationCredential"] as const),
  "object",
];

export function isObserved({ kind }: Subject): boolean {
  return OBSERVED.includes(kind);
}

const EFFECTS: Readonly<Record<Part["action"], Effect>> = {
  create: "appeared",
  update: "changed",
  replace: "replaced",
  delete: "gone",
  discard: "gone",
};

function isExpected({ action, retained }: Part, effect: Effect): boolean {
  const stays = retained === true && effect === "same";
  return stays || (effect === EFFECTS[action] && !(retained && action === "delete"));
}

/** Observed field of each property of a resource. A property that is not listed may change any field. */
const FIELDS: Partial<Record<PartKind, Readonly<Record<string, string>>>> = {
  server: { name: "name", metadata: "metadata" },
  port: {
    ...{ networkId: "network", adminStateUp: "up", securityGroupIds: "groups", tags: "tags" },
    ...{ allowedAddressPairs: "pairs", portSecurityEnabled: "portSecurity", qosPolicyId: "qosPolicy" },
  },
  volume: { size: "size", volumeType: "type" },
  floatingIp: { portId: "port" },
  network: { mtu: "mtu" },
  subnet: {
    dnsNameservers: "nameservers",
    enableDhcp: "dhcp",
    gatewayIp: "gateway",
    allocationPools: "pools",
  },
  router: { externalNetworkId: "externalNetwork" },
};

/**
 * Compares a preview with the changes in the cloud, in both directions. Of resources that another one creates by
 * itself, only the deletion together with that one is checked.
 */
export function differences(preview: ProvenPreview, before: Model, after: Model): readonly Difference[] {
  const parts = new Map<string, Part[]>();
  for (const part of preview.changes.flatMap((change) => change.parts)) {
    if (!isObserved(part.subject)) continue;
    const text = textOf(part.subject);
    parts.set(text, [...(parts.get(text) ?? []), part]);
  }
  const subjects = new Set([...before.keys(), ...after.keys(), ...parts.keys()]);
  return [...subjects].sort().flatMap((subject) => {
    const [one, other] = [before.get(subject), after.get(subject)];
    const owner = (other ?? one)?.derivedFrom;
    const announced = parts.get(subject) ?? [];
    // an owner that is not observed, such as a token that expires, is in neither model
    if (owner !== undefined)
      return other !== undefined && before.has(owner) && !after.has(owner) ? [leftBehind(subject)] : [];
    return compared(subject, announced, one, other);
  });
}

function leftBehind(subject: string): Difference {
  return { kind: "unannounced", subject, announced: [], effect: "same", fields: ["is without its owner"] };
}

function compared(
  subject: string,
  parts: readonly Part[],
  before: Seen | undefined,
  after: Seen | undefined,
): readonly Difference[] {
  const { effect, fields } = effectOf(before, after);
  const announced = parts.map(({ action, differs }) => ({ action, ...(differs && { differs }) }));
  const difference = (kind: Difference["kind"], of: readonly string[]): Difference[] => [
    { kind, subject, announced, effect, fields: of },
  ];
  if (parts.length === 0) return effect === "same" ? [] : difference("unannounced", fields);
  if (!parts.some((part) => isExpected(part, effect)))
    return difference(effect === "same" ? "not kept" : "unannounced", fields);
  if (effect !== "changed") return [];
  return fieldsCompared(parts, fields, difference);
}

/** Compares the changed fields of an updated resource with the properties in the preview. */
function fieldsCompared(
  parts: readonly Part[],
  fields: readonly string[],
  difference: (kind: Difference["kind"], of: readonly string[]) => Difference[],
): readonly Difference[] {
  const { kind } = parts[0]!.subject;
  // the fields of a Kubernetes object are its properties
  const row = (property: string) => (kind === "object" ? property : FIELDS[kind]?.[property]);
  const properties = parts.flatMap(({ differs = [] }) => differs.map((path) => path.split(/[.[]/)[0]!));
  const named = properties.map(row);
  // a property that is not listed may change any field
  const unannounced = named.includes(undefined) ? [] : fields.filter((field) => !named.includes(field));
  const notKept = properties.filter((property) => {
    const field = row(property);
    return field !== undefined && !fields.includes(field);
  });
  return [
    ...(unannounced.length > 0 ? difference("unannounced", unannounced) : []),
    ...(notKept.length > 0 ? difference("not kept", notKept) : []),
  ];
}

function effectOf(
  before: Seen | undefined,
  after: Seen | undefined,
): { readonly effect: Effect; readonly fields: readonly string[] } {
  if (before === undefined || after === undefined) {
    if (before === after) return { effect: "same", fields: [] };
    return { effect: before === undefined ? "appeared" : "gone", fields: [] };
  }
  if (before.identity !== after.identity) return { effect: "replaced", fields: [] };
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].sort();
  const fields = names.filter(
    (name) => JSON.stringify(before.fields[name]) !== JSON.stringify(after.fields[name]),
  );
  return { effect: fields.length === 0 ? "same" : "changed", fields };
}

/** Returns a difference as a line of text. */
export function differenceText({ kind, subject, announced, effect, fields }: Difference): string {
  const announcement = announced.map(({ action, differs = [] }) => [action, ...differs].join(" ")).join(", ");
  const changed = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
  return `${kind}: ${subject}: the preview says ${announcement === "" ? "nothing" : announcement}; in the cloud: ${effect}${changed}`;
}
