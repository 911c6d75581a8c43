import { Findings } from "../../components/base/findings";
import type { ProjectFiles } from "../../components/gather/project-files";
import { isFields } from "../../components/kube/objects/object";
import { own } from "../../components/base/own";

/** A VNF instance or one setting of it, and its new value. */
export interface Edit {
  readonly vnf: string;
  /** Keys from the instance down to the setting, such as `heal` and `workerNode-1`; none for the whole instance. */
  readonly path: readonly string[];
  /** JSON value, with a Secret in the place of each text to be encrypted. Undefined: the setting is taken out. */
  readonly value: unknown;
}

/** `vnfm:vnfs` as data. */
export type Vnfs = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** What of the stack config the program reads, as data. */
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

/** The settings with the edits made; what was given is left as it is. */
export function editValue<S extends Pick<StackSettings, "vnfs">>(settings: S, edits: readonly Edit[]): S {
  const vnfs = edits.reduce(
    (edited, { vnf, path, value }) => withValue(edited, [vnf, ...path], value) as Vnfs,
    settings.vnfs,
  );
  return { ...settings, vnfs };
}

/**
 * The maps with a value at a path in them, whether something is there or not; what was given is left as it is.
 *
 * @param value undefined for nothing at that path
 */
export function withValue(before: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map = before as Readonly<Record<string, unknown>> | null | undefined;
  const its = withValue(own(map ?? {}, key), rest, value);
  if (its !== undefined) return { ...map, [key]: its };
  return Object.fromEntries(Object.entries(map ?? {}).filter(([other]) => other !== key));
}

/** The edits that a JSON merge patch of an instance stands for (RFC 7396): null takes out, a list is replaced whole. */
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
  const left = Object.entries(value).filter(([, its]) => its !== null);
  return Object.fromEntries(left.map(([key, its]) => [key, withoutNulls(its)]));
}
