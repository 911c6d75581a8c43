import type { Subject } from "../../automation/changes/subject";

/** A thing of the cloud as its API shows it. */
export interface Seen {
  readonly subject: Subject;
  /** Another one under the same subject is a replacement: Nova's id of a server. */
  readonly identity: string;
  /** What somebody has declared of it, by a name of the cloud's. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Text of the subject that it comes with by itself, as Neutron's DHCP port with a network. */
  readonly derivedFrom?: string;
}

/** What a cloud has at a time, by the texts of the subjects. */
export type Model = ReadonlyMap<string, Seen>;

/** A subject as a line: `one app-2 port app_CP`. Of objects, whose API knows no instances: `object Deployment.apps web/web`. */
export function textOf({ vnf = "-", vnfc = "", kind, key, object }: Subject): string {
  if (object === undefined) return [vnf, vnfc, kind, key].filter((part) => part !== "").join(" ");
  const { apiVersion, kind: ofObject, namespace, name } = object;
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  return `${kind} ${ofObject}${group} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** @returns each thing by its subject; a second one of a subject is another thing, which no preview knows of */
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
