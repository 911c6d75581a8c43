import { isDeepStrictEqual } from "node:util";
import type { ProjectFiles } from "../../components/gather/project-files";
import { own } from "../../components/own";
import {
  isMap,
  isScalar,
  Scalar,
  yamlData,
  yamlDocument,
  type Pair,
  type YAMLMap,
} from "../../components/yaml";
import { Fault } from "../fault";

/** One setting of a VNF instance and its new value. */
export interface Edit {
  readonly vnf: string;
  /** Keys from the instance down to the setting, such as `heal` and `workerNode-1`. */
  readonly path: readonly [string, ...string[]];
  readonly value: number | string;
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

/** The path of a setting in messages. */
export function pathOf({ vnf, path }: Edit): string {
  return ["vnfm:vnfs", vnf, ...path].join(".");
}

/** The settings with the edits made; what was given is left as it is. */
export function editValue<S extends Pick<StackSettings, "vnfs">>(settings: S, edits: readonly Edit[]): S {
  const vnfs = edits.reduce(
    (edited, { vnf, path, value }) => withValue(edited, [vnf, ...path], value) as Vnfs,
    settings.vnfs,
  );
  return { ...settings, vnfs };
}

/** The maps with a value at a path in them, whether something is there or not; what was given is left as it is. */
export function withValue(before: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map = before as Readonly<Record<string, unknown>> | null | undefined;
  return { ...map, [key]: withValue(own(map ?? {}, key), rest, value) };
}

/**
 * The text of a stack config with the edits made. The text is cut open at the values' places, so every other
 * byte of the file stays: comments, order, quotes, flow style.
 *
 * @throws Fault if the file holds the setting in a form where this does not work, such as behind an alias
 */
export function editText(text: string, edits: readonly Edit[]): string {
  return edits.reduce(editOne, text);
}

function editOne(text: string, edit: Edit): string {
  const value = valueOf(text);
  const edited = splice(text, edit);
  // whatever the form of the file, what is written means what was wanted and nothing else
  if (edited === undefined || !isDeepStrictEqual(valueOf(edited), wanted(value, edit))) {
    throw new Fault(`${pathOf(edit)}: cannot be set in the file as it is; set it to ${edit.value} by hand`);
  }
  return edited;
}

interface StackConfig {
  readonly config?: Readonly<Record<string, unknown>>;
}

function valueOf(text: string): StackConfig {
  return yamlData(text, "the stack config") as StackConfig;
}

function wanted(value: StackConfig, edit: Edit): StackConfig {
  const vnfs = value.config?.["vnfm:vnfs"] as Vnfs;
  const { vnf, path, value: set } = edit;
  return { ...value, config: { ...value.config, "vnfm:vnfs": withValue(vnfs, [vnf, ...path], set) } };
}

/** @returns undefined if the instance is not there as a mapping */
function splice(text: string, { vnf, path, value }: Edit): string | undefined {
  let map = yamlDocument(text, "the stack config").getIn(["config", "vnfm:vnfs", vnf], true);
  // a date that is not quoted is no text to the engine
  const written = typeof value === "number" ? String(value) : JSON.stringify(value);
  for (const [i, key] of path.entries()) {
    if (!isMap(map)) return undefined;
    const rest = path.slice(i + 1).reduceRight((inner, name) => `{${name}: ${inner}}`, written);
    const present = pairOf(map, key);
    if (present === undefined) return insert(text, map, `${key}: ${rest}`);
    if (i === path.length - 1 || !isMap(present.value)) return replace(text, present, rest);
    map = present.value;
  }
  return undefined;
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function replace(text: string, { key, value }: Pair, written: string): string | undefined {
  const range = isScalar(value) ? value.range : undefined;
  if (!range) return undefined;
  const [start, end] = range;
  if (end > start) return text.slice(0, start) + written + text.slice(end);
  // nothing stands behind the colon
  const colon = text.indexOf(":", (key as Scalar).range?.[1] ?? text.length) + 1;
  return colon === 0 ? undefined : `${text.slice(0, colon)} ${written}${text.slice(colon)}`;
}

/** A new pair: the last one in a flow mapping, in a block mapping beside the settings of one line. */
function insert(text: string, map: YAMLMap, pair: string): string | undefined {
  if (!map.range) return undefined;
  if (map.flow) return insertInFlow(text, map, pair);
  const first = map.items[0]?.key;
  const start = isScalar(first) ? first.range?.[0] : undefined;
  if (start === undefined) return undefined;
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const newLine = text.includes("\r\n") ? "\r\n" : "\n";
  const indent = text.slice(line, start);
  const before = lastOneLiner(map);
  if (before === undefined) {
    const at = aboveComments(text, line);
    return text.slice(0, at) + indent + pair + newLine + text.slice(at);
  }
  const end = text.indexOf("\n", before);
  return end < 0
    ? text + newLine + indent + pair
    : `${text.slice(0, end + 1)}${indent}${pair}${newLine}${text.slice(end + 1)}`;
}

/** Where the comment lines begin that stand above a line; it is theirs. */
function aboveComments(text: string, line: number): number {
  const above = text.lastIndexOf("\n", line - 2) + 1;
  return line > 0 && /^\s*(#|$)/.test(text.slice(above, line).trimEnd()) ? aboveComments(text, above) : line;
}

function insertInFlow(text: string, map: YAMLMap, pair: string): string | undefined {
  const last = map.items.at(-1);
  if (last === undefined)
    return map.range ? `${text.slice(0, map.range[0] + 1)}${pair}${text.slice(map.range[0] + 1)}` : undefined;
  const end = (last.value as Scalar | null)?.range?.[1];
  return end === undefined ? undefined : `${text.slice(0, end)}, ${pair}${text.slice(end)}`;
}

/** Where the value of the last of the mapping's leading pairs that are plain or quoted scalars ends. */
function lastOneLiner(map: YAMLMap): number | undefined {
  let end: number | undefined;
  for (const { value } of map.items) {
    const isOneLine =
      isScalar(value) && value.type !== Scalar.BLOCK_FOLDED && value.type !== Scalar.BLOCK_LITERAL;
    if (!isOneLine || !value.range) break;
    end = value.range[1];
  }
  return end;
}
