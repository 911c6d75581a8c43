import {
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLParseError,
} from "yaml";
import { utf8 } from "../utf8";
import { structureOf, type YamlStructure } from "../yaml-structure";
import type { Fault } from "./model";

/** One TOSCA file of the package, with the places of its parts. */
export interface Source {
  readonly file: string;
  readonly document: Document;
  readonly root: Node | undefined;
  readonly structure: YamlStructure;
  /** Line of a part, from 1. */
  line(node: Node | undefined): number | undefined;
}

/** Syntax errors of a file that are told: those after the first few come of these. */
const MOST_ERRORS = 20;

/** Parse one file; syntax errors become faults with line and column, and there is no source then. */
export function parseSource(file: string, content: Buffer, faults: Fault[]): Source | undefined {
  const fault = (message: string, line?: number) =>
    void faults.push({ file, node: "", property: "", message, ...(line !== undefined && { line }) });
  const text = utf8(content);
  if (text === undefined) {
    fault("is not UTF-8 text");
    return undefined;
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    uniqueKeys: false,
  });
  for (const error of document.errors.slice(0, MOST_ERRORS)) {
    const { line, col } = lines.linePos(error.pos[0]);
    fault(`column ${col}: ${explained(error)}`, line);
  }
  if (document.errors.length > 0) return undefined;
  const structure = structureOf(document);
  for (const { node, message } of structure.problems.slice(0, MOST_ERRORS)) {
    const { line, col } = lines.linePos(node.range?.[0] ?? 0);
    fault(`column ${col}: ${message}`, line);
  }
  for (const alias of structure.unresolved.slice(0, MOST_ERRORS)) {
    fault(`*${alias.source} has no anchor before it`, lines.linePos(alias.range?.[0] ?? 0).line);
  }
  if (structure.problems.length + structure.unresolved.length > 0) return undefined;
  const root = document.contents ?? undefined;
  if (root !== undefined && !isMap(root) && !(isScalar(root) && root.value === null)) {
    fault("is not a TOSCA service template: a map is expected", 1);
    return undefined;
  }
  return {
    file,
    document,
    root,
    structure,
    line: (node) => (node?.range ? lines.linePos(node.range[0]).line : undefined),
  };
}

function explained({ code, message }: YAMLParseError): string {
  if (code === "MULTIPLE_DOCS") return "has more than one YAML document; a TOSCA file has one";
  return message.startsWith("Maximum call stack") ? "is nested too deeply" : message.replace(/\.$/, "");
}
