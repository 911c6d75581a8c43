import type { Subject } from "../../automation/changes/subject";

/** A cloud resource or Kubernetes object, as observed in its API. */
export interface Seen {
  readonly subject: Subject;
  /** Identity, such as Nova's id of a server. Another identity for the same subject is a replacement. */
  readonly identity: string;
  /** Declared fields, by their names in the cloud. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Text of the subject that creates it by itself, such as the network of Neutron's DHCP port. */
  readonly derivedFrom?: string;
}

/** Observation of a cloud at one time, by the texts of subjects. */
export type Model = ReadonlyMap<string, Seen>;

/** Returns a subject as text: `one app-2 port app_CP`; of an object, `object Deployment.apps web/web`. */
export function textOf({ vnf = "-", vnfc = "", kind, key, object }: Subject): string {
  if (object === undefined) return [vnf, vnfc, kind, key].filter((part) => part !== "").join(" ");
  const { apiVersion, kind: ofObject, namespace, name } = object;
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  return `${kind} ${ofObject}${group} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Sorts observations by subject. A second one of the same subject gets a number, and is in no preview. */
export function modelOf(all: readonly Seen[]): Model {
  const model = new Map<string, Seen>();
  for (const seen of all) {
    const text = textOf(seen.subject);
    let key = text;
    for (let n = 2; model.has(key); n += 1) key = `${text} #${n}`;
    model.set(key, seen);
  }
  return model;
}
