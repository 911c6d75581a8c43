import {
  Composer,
  Lexer,
  Parser,
  type Document,
  type DocumentOptions,
  type LineCounter,
  type ParseOptions,
  type SchemaOptions,
} from "yaml";

/** Private steps of the YAML lexer. Each yields pieces of the text, and returns the next step. */
interface Steps {
  /** Minimum indentation of a value's next line. */
  indentNext: number;
  parseQuotedScalar(): Generator<string, unknown>;
  parseFlowCollection(): Generator<string, unknown>;
  lex(text: string): Iterable<string>;
}

/**
 * A lexer that accepts lines of quoted strings, and of lists or mappings in brackets, without more indentation than
 * their key. YAML 1.2 forbids this, but libyaml and go-yaml, which most tools use, accept it except for `---`.
 */
class LenientLexer extends (Lexer as unknown as new () => Steps) {
  override *parseQuotedScalar(): Generator<string, unknown> {
    return yield* this.#anyIndent(super.parseQuotedScalar());
  }

  override *parseFlowCollection(): Generator<string, unknown> {
    return yield* this.#anyIndent(super.parseFlowCollection());
  }

  *#anyIndent(step: Generator<string, unknown>): Generator<string, unknown> {
    const { indentNext } = this;
    this.indentNext = 0;
    const next = yield* step;
    this.indentNext = indentNext;
    return next;
  }
}

/** Splits a YAML text into documents. An empty text has one empty document. */
export function documentsOf(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions & { readonly lineCounter: LineCounter },
): readonly [Document.Parsed, ...Document.Parsed[]] {
  const { lineCounter } = options;
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  function* tokens() {
    for (const lexeme of new LenientLexer().lex(text)) yield* parser.next(lexeme);
    yield* parser.end();
  }
  const [first, ...others] = new Composer(options).compose(tokens(), true, text.length);
  if (first === undefined) throw new Error("the parser is asked for a document at least");
  return [first, ...others];
}
