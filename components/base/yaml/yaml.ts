import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  Scalar,
  stringify,
  type Document,
  type DocumentOptions,
  type ErrorCode,
  type Node,
  type ParseOptions,
  type SchemaOptions,
  type ToStringOptions,
} from "yaml";
import { Fault } from "../fault";
import { limits } from "../limits";
import { documentsOf } from "./yaml-stream";
import { DUPLICATE_KEY, structureOf, type YamlStructure } from "./yaml-structure";

export { Document, isAlias, isCollection, isMap, isNode, isPair, isScalar, isSeq, Scalar, visit } from "yaml";
export type { Node, Pair, ScalarTag, YAMLMap } from "yaml";
export { DUPLICATE_KEY, type YamlStructure } from "./yaml-structure";

/**
 * An error in a YAML text with its position. The message never quotes the text, which may be a secret: a
 * password that is not quoted is the most frequent cause.
 */
export interface YamlFault {
  /** Line and column, both from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface YamlOptions extends ParseOptions, DocumentOptions, SchemaOptions {
  /**
   * Messages of custom tags, which may be shown because they contain no part of the text. @default only the parser's
   * messages
   */
  readonly tagMessages?: readonly string[];
}

/** A YAML document, and at most `limits.textFaults` errors in it. */
export interface ParsedYaml {
  readonly document: Document;
  readonly structure: YamlStructure;
  readonly faults: readonly YamlFault[];
  /** Position of a node. */
  readonly place: (
    node: Node | null | undefined,
  ) => { readonly line: number; readonly column: number } | undefined;
}

/**
 * Parses a text with one YAML document.
 * @param options options of the YAML parser. @default YAML 1.2 with merge keys, which all other readers support
 */
export function parseDocument(text: string, options: YamlOptions = {}): ParsedYaml {
  const lines = new LineCounter();
  const [document, second] = documentsOf(text, withDefaults(options, lines));
  const read = parsed(document, text, lines, options);
  if (second === undefined) return read;
  const { line, col } = lines.linePos(second.range[0]);
  return { ...read, faults: [...read.faults, { line, column: col, message: WORDS.MULTIPLE_DOCS }] };
}

/** Parses a text with any number of documents. */
export function parseDocuments(text: string, options: YamlOptions = {}): readonly ParsedYaml[] {
  const lines = new LineCounter();
  return documentsOf(text, withDefaults(options, lines)).map((document) =>
    parsed(document, text, lines, options),
  );
}

/**
 * Returns the data of a document without errors. Undefined, with further errors, if aliases make it infinite, or if a
 * merge key has a value other than mappings.
 *
 * @param faults gets the errors
 */
export function dataOf({ document, structure, place }: ParsedYaml, faults: YamlFault[]): unknown {
  const fail = (node: Node | null, message: string): void =>
    void faults.push({ ...(place(node) ?? { line: 1, column: 1 }), message });
  const circles = structure.circular.slice(0, limits.textFaults);
  for (const alias of circles) fail(alias, "an alias contains itself");
  if (circles.length > 0) return undefined;
  try {
    // the expanded size of aliases is limited elsewhere, so the parser need not limit their number
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  } catch {
    fail(
      document.contents,
      "has a merge key (<<) for something other than a mapping; quote it if it is a key",
    );
    return undefined;
  }
}

/**
 * Parses a text with one YAML document for editing.
 *
 * @param what name of the text, for the message
 * @throws Fault with all errors and their lines, and without any part of the text
 */
export function yamlDocument(text: string, what: string, options: YamlOptions = {}): Document {
  const { document, faults } = parseDocument(text, options);
  assertNone(faults, what);
  return document;
}

/**
 * Parses a text with one YAML document, and returns its data; null if it is empty.
 *
 * @param what name of the text, for the message
 * @throws Fault with all errors and their lines, and without any part of the text
 */
export function yamlData(text: string, what: string, options: YamlOptions = {}): unknown {
  const parsed = parseDocument(text, options);
  assertNone(parsed.faults, what);
  const faults: YamlFault[] = [];
  const data = dataOf(parsed, faults);
  assertNone(faults, what);
  return data;
}

/**
 * Writes YAML that all readers understand in the same way. Kubernetes, kubeadm and cloud-init read YAML 1.1, where
 * `yes`, `1_000` and `1:30` without quotes are not strings; others read YAML 1.2, where `0o17` is not a string.
 */
export function toYaml(
  value: unknown,
  options: ToStringOptions & { readonly aliasDuplicateObjects?: boolean } = {},
): string {
  return stringify(value, { ...options, version: "1.1", compat: "core" });
}

function assertNone(faults: readonly YamlFault[], what: string): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`);
  throw new Fault(`${what} is not valid YAML: ${lines.join("; ")}`);
}

function withDefaults(options: YamlOptions, lineCounter: LineCounter) {
  // the parser's own messages would contain the line of the text
  const silent = { prettyErrors: false, logLevel: "error" } as const;
  // the parser would compare each key with all before it
  return { merge: true, ...options, ...silent, lineCounter, uniqueKeys: false };
}

function parsed(
  document: Document,
  text: string,
  lines: LineCounter,
  { tagMessages = [] }: YamlOptions,
): ParsedYaml {
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // it warns of a closing bracket at the beginning of a line, which every other reader takes
  const warnings = document.warnings.filter(({ code }) => code !== "BAD_INDENT");
  const end = text.trimEnd().length;
  const errors = [...document.errors, ...warnings].map(({ pos, code, message }) => ({
    ...at(pos[0] < end ? pos[0] : (openedAt(document) ?? pos[0])),
    message: tagMessages.includes(message) ? message : WORDS[code],
  }));
  const structure = structureOf(document);
  const problems = structure.problems.map(({ node, message }) => ({ ...at(node.range?.[0] ?? 0), message }));
  // the anchor may be in a part that could not be read
  const aliases = errors.length > 0 ? [] : structure.unresolved;
  const unresolved = aliases.map((alias) => ({
    ...at(alias.range?.[0] ?? 0),
    message: "an alias has no anchor before it; quote a string that begins with *",
  }));
  const reportedLines = new Set<number>();
  return {
    document,
    structure,
    // only the first error of a line, because the others follow from it
    faults: [...errors, ...problems, ...unresolved]
      .sort((a, b) => a.line - b.line)
      .filter(({ line }) => !reportedLines.has(line) && reportedLines.add(line))
      .slice(0, limits.textFaults),
    place: (node) => (node?.range ? at(node.range[0]) : undefined),
  };
}

/** Returns the start of the quotes or brackets that are still open at the end of a document. */
function openedAt(document: Document): number | undefined {
  let node: unknown = document.contents;
  while ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = node.items.at(-1);
    node = isPair(last) ? (last.value ?? last.key) : last;
  }
  const isOpen = isCollection(node) || (isScalar(node) && QUOTED.includes(node.type));
  return isOpen ? (node as Node).range?.[0] : undefined;
}

const QUOTED: readonly unknown[] = [Scalar.QUOTE_SINGLE, Scalar.QUOTE_DOUBLE];

/** Messages for the parser's errors, without any part of the text. */
const WORDS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "an alias has a tag or an anchor",
  BAD_ALIAS:
    "an anchor or an alias has no name, or one that ends with a colon; quote a string that begins with & or *",
  BAD_COLLECTION_TYPE: "a tag is for values of another type",
  BAD_DIRECTIVE: "a line that begins with % is not a YAML directive",
  BAD_DQ_ESCAPE: "a backslash in double quotes begins an unknown escape; use single quotes",
  BAD_INDENT: "the indentation is wrong, or a bracket is missing",
  BAD_PROP_ORDER: "a tag or an anchor is in the wrong place",
  BAD_SCALAR_START: "a string without quotes begins with a character that YAML reserves, such as @; quote it",
  BLOCK_AS_IMPLICIT_KEY:
    "a mapping or a list begins on the line of a key; quote a string that contains a colon and a space",
  BLOCK_IN_FLOW: "a mapping or a list in brackets contains one without brackets",
  DUPLICATE_KEY,
  IMPOSSIBLE: "cannot be read",
  KEY_OVER_1024_CHARS: "a key has more than 1024 characters",
  MISSING_CHAR: "a colon, comma, quote, bracket, dash or space is missing",
  MULTILINE_IMPLICIT_KEY: "a key has several lines; a colon or a quote is missing",
  MULTIPLE_ANCHORS: "a value has several anchors",
  MULTIPLE_DOCS: "there is more than one document",
  MULTIPLE_TAGS: "a value has several tags",
  NON_STRING_KEY: "a key is not a string",
  RESOURCE_EXHAUSTION: "is nested too deeply",
  TAB_AS_INDENT: "tabs cannot indent; use spaces",
  TAG_RESOLVE_FAILED: "a tag is not known, or does not fit its value; quote a string that begins with !",
  UNEXPECTED_TOKEN: "unexpected content; quote a string that contains such characters",
};
