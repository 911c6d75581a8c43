import {
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type YAMLParseError,
} from "yaml";
import { utf8 } from "../utf8";
import type { Fault } from "./model";

/** One TOSCA file of the package, with the places of its parts. */
export interface Source {
  readonly file: string;
  readonly document: Document;
  readonly root: Node | undefined;
  /** Line of a part, from 1. */
  line(node: Node | undefined): number | undefined;
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Parse one file; syntax errors become faults with line and column, and there is no source then. */
export function parseSource(file: string, content: Buffer, faults: Fault[]): Source | undefined {
  const fault = (message: string, line?: number) =>
    void faults.push({ file, node: "", property: "", message, ...(line !== undefined && { line }) });
  if (content.length > MAX_BYTES) {
    fault(`has ${content.length} bytes; a TOSCA file has at most ${MAX_BYTES}`);
    return undefined;
  }
  const text = utf8(content);
  if (text === undefined) {
    fault("is not UTF-8 text");
    return undefined;
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  for (const error of document.errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    fault(`column ${col}: ${explained(error)}`, line);
  }
  if (document.errors.length > 0) return undefined;
  const aliases = unresolved(document);
  for (const alias of aliases) {
    fault(`*${alias.source} has no anchor before it`, lines.linePos(alias.range?.[0] ?? 0).line);
  }
  if (aliases.length > 0) return undefined;
  const root = document.contents ?? undefined;
  if (root !== undefined && !isMap(root) && !(isScalar(root) && root.value === null)) {
    fault("is not a TOSCA service template: a map is expected", 1);
    return undefined;
  }
  return {
    file,
    document,
    root,
    line: (node) => (node?.range ? lines.linePos(node.range[0]).line : undefined),
  };
}

function explained({ code, message }: YAMLParseError): string {
  if (code === "MULTIPLE_DOCS") return "has more than one YAML document; a TOSCA file has one";
  return message.startsWith("Maximum call stack") ? "is nested too deeply" : message.replace(/\.$/, "");
}

function unresolved(document: Document): Alias[] {
  const anchors = new Set<string>();
  const found: Alias[] = [];
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        if (!anchors.has(node.source)) found.push(node);
      } else if (node.anchor !== undefined) {
        anchors.add(node.anchor);
      }
    },
  });
  return found;
}
