/** A JSON object in a text with several. */
export interface StreamedObject {
  readonly text: string;
  /** Line on which the value begins, from 1. */
  readonly line: number;
}

const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|[{}]|[^\s"{}]+|"|\n/g;

/**
 * Splits a text into consecutive JSON objects, as kubectl does. Returns none if the text contains anything else before
 * or between them. The content of the objects is not checked.
 */
export function jsonStream(text: string): readonly StreamedObject[] {
  const objects: StreamedObject[] = [];
  let line = 1;
  let depth = 0;
  let begin = { at: 0, line };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (depth === 0 && token === "{") begin = { at: index, line };
    // A quote that no later quote ends. The search ends here, as it would read the rest again for each quote in it.
    if (token === '"') return [];
    if (token === "{") depth++;
    else if (token === "}") depth--;
    else if (token !== "\n" && depth === 0) return [];
    if (token === "}" && depth === 0)
      objects.push({ text: text.slice(begin.at, index + 1), line: begin.line });
    if (depth < 0) return [];
    for (const character of token) if (character === "\n") line++;
  }
  return depth === 0 ? objects : [];
}
