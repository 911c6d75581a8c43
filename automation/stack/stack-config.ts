import { Findings } from "../../components/base/findings";
import type { ProjectFiles } from "../../components/gather/project-files";
import { isFields } from "../../components/kube/objects/object";
import { own } from "../../components/base/own";

/** A new value for a VNF instance or one of its settings. */
export interface Edit {
  readonly vnf: string;
  /** Keys from the instance down to the setting, such as `heal` and `workerNode-1`; none for the whole instance. */
  readonly path: readonly string[];
  /** JSON value, with an instance of Secret for each text to encrypt. Undefined: the setting is removed. */
  readonly value: unknown;
}

/** `vnfm:vnfs` as data. */
export type Vnfs = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** The part of the stack config that vnfm reads, as plain data. */
export interface StackSettings {
  readonly vnfs: Vnfs;
  /** Value of `vnfm:clusterTemplates`. @default none */
  readonly clusterTemplates?: unknown;
  /** Value of `vnfm:policy`. @default none */
  readonly policy?: string;
  /** The files of the project, with the packages that the settings name. */
  readonly files: ProjectFiles;
}

/** The place of a setting in messages. */
export function placeOf({ vnf, path }: Edit): string {
  return new Findings().instance(vnf).get(...path).text;
}

/** The edited settings; the argument is not modified. */
export function editValue<S extends Pick<StackSettings, "vnfs">>(settings: S, edits: readonly Edit[]): S {
  const vnfs = edits.reduce(
    (edited, { vnf, path, value }) => withValue(edited, [vnf, ...path], value) as Vnfs,
    settings.vnfs,
  );
  return { ...settings, vnfs };
}

/**
 * A copy of maps with a value at a path, which is created if necessary.
 * @param value undefined removes the key
 */
export function withValue(before: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map = before as Readonly<Record<string, unknown>> | null | undefined;
  const inner = withValue(own(map ?? {}, key), rest, value);
  if (inner !== undefined) return { ...map, [key]: inner };
  return Object.fromEntries(Object.entries(map ?? {}).filter(([other]) => other !== key));
}

/** The edits for a JSON merge patch of an instance (RFC 7396): null removes a key, a list is replaced as a whole. */
export function patchEdits(
  vnf: string,
  present: unknown,
  patch: unknown,
  path: readonly string[] = [],
): readonly Edit[] {
  if (patch === null) return present === undefined ? [] : [{ vnf, path, value: undefined }];
  if (!isFields(patch) || !isFields(present)) return [{ vnf, path, value: withoutNulls(patch) }];
  return Object.entries(patch).flatMap(([key, value]) =>
    patchEdits(vnf, own(present, key), value, [...path, key]),
  );
}

function withoutNulls(value: unknown): unknown {
  if (!isFields(value)) return value;
  const left = Object.entries(value).filter(([, entry]) => entry !== null);
  return Object.fromEntries(left.map(([key, entry]) => [key, withoutNulls(entry)]));
}
