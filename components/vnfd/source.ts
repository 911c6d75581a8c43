import { isMap, isScalar, LineCounter, parseDocument, type Document, type Node } from "yaml";
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
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    fault("is not UTF-8 text");
    return undefined;
  }
  const lines = new LineCounter();
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    fault("is nested too deeply");
    return undefined;
  }
  for (const error of document.errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    const what =
      error.code === "MULTIPLE_DOCS"
        ? "has more than one YAML document; a TOSCA file has one"
        : error.message.replace(/\.$/, "");
    fault(`column ${col}: ${what}`, line);
  }
  if (document.errors.length > 0) return undefined;
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
