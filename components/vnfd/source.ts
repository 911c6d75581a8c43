import { utf8 } from "../base/text";
import {
  isMap,
  isScalar,
  parseDocument,
  type Document,
  type Node,
  type YamlStructure,
} from "../base/yaml/yaml";
import type { Fault } from "./model";

/** A TOSCA file of the package, with line numbers. */
export interface Source {
  readonly file: string;
  readonly document: Document;
  readonly root: Node | undefined;
  readonly structure: YamlStructure;
  /** Line of a YAML node, from 1. */
  line(node: Node | undefined): number | undefined;
}

/** Parses a file. Syntax errors are recorded with line and column, and the result is undefined. */
export function parseSource(file: string, content: Buffer, faults: Fault[]): Source | undefined {
  const fault = (message: string, line?: number) =>
    void faults.push({ file, node: "", property: "", message, ...(line !== undefined && { line }) });
  const text = utf8(content);
  if (text === undefined) {
    fault("is not UTF-8 text");
    return undefined;
  }
  // merge keys are followed where they are read
  const { document, structure, faults: found, place } = parseDocument(text, { merge: false });
  for (const { line, column, message } of found) fault(`column ${column}: ${message}`, line);
  if (found.length > 0) return undefined;
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
    line: (node) => place(node)?.line,
  };
}
