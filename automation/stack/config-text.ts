import { isDeepStrictEqual } from "node:util";
import { isFields } from "../../components/kube/objects/object";
import {
  isMap,
  isScalar,
  Scalar,
  toYaml,
  yamlData,
  yamlDocument,
  type Node,
  type Pair,
  type YAMLMap,
} from "../../components/base/yaml/yaml";
import { Fault } from "../fault";
import { placeOf, withValue, type Edit } from "./stack-config";

/**
 * The edited text of a stack config. Only the text of the edited settings changes, so every other byte stays: comments,
 * order, quotes, flow style.
 * @throws Fault if a setting has a form that cannot be edited like this, such as an alias
 */
export function editText(text: string, edits: readonly Edit[]): string {
  return edits.reduce(editOne, text);
}

function editOne(text: string, edit: Edit): string {
  const { value } = edit;
  const path = ["config", "vnfm:vnfs", edit.vnf, ...edit.path];
  const expected = withValue(dataOf(text), path, value);
  const edited = value === undefined ? remove(text, path) : set(text, path, value);
  // for any form of the file, the result must have exactly the wanted meaning
  if (edited !== undefined && means(edited, expected)) return edited;
  const place = placeOf(edit);
  if (value === undefined)
    throw new Fault(`${place}: cannot be removed from the file automatically; remove it by hand`);
  throw new Fault(
    isFields(value)
      ? `${place}: cannot be added to the file automatically; add it by hand:\n${toYaml(value, { lineWidth: 0 })}`
      : `${place}: cannot be set in the file automatically; set it to ${flowText(value)} by hand`,
  );
}

function dataOf(text: string): unknown {
  return yamlData(text, "the stack config");
}

function means(text: string, expected: unknown): boolean {
  try {
    return isDeepStrictEqual(dataOf(text), expected);
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** A key on the path to a setting, with its mapping. */
interface Step {
  readonly map: YAMLMap;
  readonly pair: Pair;
}

/** The existing keys on the path to a setting. */
function wayTo(text: string, path: readonly string[]): readonly Step[] {
  let node: unknown = yamlDocument(text, "the stack config").contents;
  const way: Step[] = [];
  for (const key of path) {
    if (!isMap(node)) break;
    const pair = node.items.find((one) => isScalar(one.key) && one.key.value === key);
    if (pair === undefined) break;
    way.push({ map: node, pair });
    node = pair.value;
  }
  return way;
}

/** @returns undefined if the setting cannot be written into this text */
function set(text: string, path: readonly string[], value: unknown): string | undefined {
  const way = wayTo(text, path);
  const last = way.at(-1);
  if (last === undefined) return undefined;
  const { pair } = last;
  const [key, ...deeper] = path.slice(way.length);
  if (key === undefined) return replace(text, last, value);
  const inside = deeper.reduceRight((inner: unknown, name) => ({ [name]: inner }), value);
  const isEmpty = isMap(pair.value) ? pair.value.items.length === 0 : isScalar(pair.value);
  // an empty mapping in one line has no place for lines
  if (isEmpty && (!isShort(inside) || !isMap(pair.value))) return replace(text, last, { [key]: inside });
  return isMap(pair.value) ? insert(text, pair.value, key, inside) : undefined;
}

function replace(text: string, { map, pair }: Step, value: unknown): string | undefined {
  const { key, value: present } = pair;
  // a key without a value in a flow mapping
  if (present === null) return undefined;
  if (map.flow || (isShort(value) && isScalar(present))) {
    const [start] = rangeOf(present);
    // the range of a block scalar ends at the beginning of the next line
    const end = endOf(text, pair);
    const written = flowText(value);
    if (end > start) return text.slice(0, start) + written + text.slice(end);
    // there is nothing after the colon
    const colon = text.indexOf(":", rangeOf(key)[1]) + 1;
    return colon === 0 ? undefined : `${text.slice(0, colon)} ${written}${text.slice(colon)}`;
  }
  const start = startOf(pair);
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name !== "string") return undefined;
  const written = isShort(value)
    ? flowPair(name, value)
    : linesOf(text, start, { [name]: value })?.trimStart();
  return written && text.slice(0, start) + written + text.slice(endOf(text, pair));
}

/**
 * Inserts a key with its value: into a flow mapping at the end; into a block mapping a short value after the other
 * short ones.
 */
function insert(text: string, map: YAMLMap, key: string, value: unknown): string | undefined {
  if (map.flow) return insertInFlow(text, map, flowPair(key, value));
  const [first, last] = [map.items[0], map.items.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const start = startOf(first);
  const indent = text.slice(lineOf(text, start), start);
  const short = isShort(value);
  const written = short ? `${indent}${flowPair(key, value)}` : linesOf(text, start, { [key]: value });
  if (written === undefined) return undefined;
  const neighbour = short ? lastOneLiner(map) : last;
  if (neighbour === undefined) {
    const at = aboveComments(text, lineOf(text, start));
    return text.slice(0, at) + written + newLine(text) + text.slice(at);
  }
  const end = text.indexOf("\n", endOf(text, neighbour));
  return end < 0
    ? text + newLine(text) + written
    : text.slice(0, end + 1) + written + newLine(text) + text.slice(end + 1);
}

function insertInFlow(text: string, map: YAMLMap, pair: string): string | undefined {
  const last = map.items.at(-1);
  const at = last === undefined ? rangeOf(map)[0] + 1 : endOf(text, last);
  return text.slice(0, at) + (last === undefined ? "" : ", ") + pair + text.slice(at);
}

/**
 * Removes a key and its value from the text of a YAML file.
 *
 * @returns undefined if the key is not in this text itself, for example only in an alias
 */
function remove(text: string, path: readonly string[]): string | undefined {
  const way = wayTo(text, path);
  const last = way.at(-1);
  if (last === undefined || way.length < path.length) return undefined;
  const { map, pair } = last;
  const around = way.at(-2);
  if (map.items.length === 1) return around && replace(text, around, {});
  const [start, end] = [startOf(pair), endOf(text, pair)];
  if (!map.flow) {
    const after = text.indexOf("\n", end);
    return text.slice(0, lineOf(text, start)) + (after < 0 ? "" : text.slice(after + 1));
  }
  const index = map.items.indexOf(pair);
  const [before, next] = [map.items[index - 1], map.items[index + 1]];
  if (before !== undefined) return text.slice(0, endOf(text, before)) + text.slice(end);
  return next && text.slice(0, start) + text.slice(startOf(next));
}

/** Offset of the beginning of a pair. */
function startOf({ key }: Pair): number {
  return rangeOf(key)[0];
}

/** Offset of the end of a pair, without comments after it. */
function endOf(text: string, { key, value }: Pair): number {
  return text.slice(0, rangeOf(value ?? key)[1]).trimEnd().length;
}

/** Offsets of the beginning of a node, and of the end of its value. */
function rangeOf(node: unknown): readonly [start: number, end: number] {
  const { range } = node as Node;
  if (!range) throw new Error("a node that was read has a place in its text");
  return [range[0], range[1]];
}

function lineOf(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function newLine(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** A value as the lines of a block mapping, indented like the text at an offset; undefined if no line starts there. */
function linesOf(text: string, at: number, value: object): string | undefined {
  const indent = text.slice(lineOf(text, at), at);
  if (indent.trim() !== "") return undefined;
  const lines = toYaml(value, { lineWidth: 0 }).trimEnd().split("\n");
  return lines.map((line) => (line === "" ? line : indent + line)).join(newLine(text));
}

/** Returns true for a value of one line: a number, a text, or a key with one of these. */
function isShort(value: unknown): boolean {
  if (!isFields(value)) return !Array.isArray(value);
  const values = Object.values(value);
  return values.length === 1 && values.every(isShort);
}

/** A value on one line. A string that some YAML parsers would read as another type, such as a date, is quoted. */
function flowText(value: unknown): string {
  if (isFields(value))
    return `{${Object.entries(value)
      .map(([key, content]) => flowPair(key, content))
      .join(", ")}}`;
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  return JSON.stringify(value);
}

function flowPair(key: string, value: unknown): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(key) && !/^(true|false|null)$/i.test(key);
  return `${isPlain ? key : JSON.stringify(key)}: ${flowText(value)}`;
}

/** Offset of the comment lines above a line, which belong to it. */
function aboveComments(text: string, line: number): number {
  const above = text.lastIndexOf("\n", line - 2) + 1;
  return line > 0 && /^\s*(#|$)/.test(text.slice(above, line).trimEnd()) ? aboveComments(text, above) : line;
}

/** The last of the first keys of a mapping whose values are plain or quoted scalars. */
function lastOneLiner(map: YAMLMap): Pair | undefined {
  let last: Pair | undefined;
  for (const pair of map.items) {
    const { value } = pair;
    const isOneLine =
      isScalar(value) && value.type !== Scalar.BLOCK_FOLDED && value.type !== Scalar.BLOCK_LITERAL;
    if (!isOneLine || !value.range) break;
    last = pair;
  }
  return last;
}
