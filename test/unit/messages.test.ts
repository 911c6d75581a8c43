/**
 * The messages of vnfm on one page for review: messages.txt beside this file has each text of components/ and
 * automation/ that reads like a sentence, so that a change of words shows as a difference of it.
 * `WRITE_MESSAGES=1 npx jest test/unit/messages.test.ts --selectProjects unit` writes the page again.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
// not "typescript", for which jest.config.js has an empty module
import * as ts from "typescript/lib/typescript";

const ROOT = resolve(__dirname, "../..");
const PAGE = join(__dirname, "messages.txt");

/** Stands for a value that a message contains. */
const VALUE = "<>";

/** Two words, or a word next to a value. */
const SENTENCE = /\p{L}{2,}[,;:]? \p{L}{2,}|<>[:,;]? \p{L}{2,}|\p{L}{2,}[:,;]? "?<>/u;

/** Nodes whose literals are no messages. */
const OF_NO_MESSAGE = [
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.LiteralType,
];

it("the page of messages has each message of components/ and automation/, and no other", () => {
  const page = [...sources("*.ts", "*.cjs").map(typeScriptMessages), ...sources("*.sh").map(bashMessages)]
    .filter(({ messages }) => messages.length > 0)
    .map(({ file, messages }) => `${file}\n${messages.map((message) => `  ${message}\n`).join("")}`)
    .sort()
    .join("\n");
  if (process.env["WRITE_MESSAGES"] !== undefined) writeFileSync(PAGE, page);
  expect(page).toBe(readFileSync(PAGE, "utf8"));
}, 60_000);

interface FileMessages {
  readonly file: string;
  readonly messages: readonly string[];
}

function sources(...patterns: readonly string[]): string[] {
  const paths = ["components", "automation"].flatMap((folder) => patterns.map((one) => `${folder}/${one}`));
  const files = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...paths],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  return files.split("\0").filter((file) => file !== "");
}

function typeScriptMessages(file: string): FileMessages {
  const messages: string[] = [];
  const visit = (node: ts.Node): void => {
    if (OF_NO_MESSAGE.includes(node.kind)) return;
    const text = textOf(node);
    if (text === undefined) return ts.forEachChild(node, visit);
    messages.push(text);
    valuesIn(node).forEach(visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
  return { file, messages: sentences(messages) };
}

/** Returns the text of a literal, or of literals that are joined by +; undefined for other nodes. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => VALUE + literal.text).join("");
  const parts = sumOf(node).map(textOf);
  return parts.some((part) => part !== undefined) ? parts.map((part) => part ?? VALUE).join("") : undefined;
}

/** Returns the expressions whose values a text contains. */
function valuesIn(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  return sumOf(node).flatMap((part) => (textOf(part) === undefined ? [part] : valuesIn(part)));
}

function sumOf(node: ts.Node): ts.Node[] {
  const isSum = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
  return isSum ? [node.left, node.right] : [];
}

/** Returns what scripts print by die, say and echo. */
function bashMessages(file: string): FileMessages {
  const code = read(file)
    .replace(/^\s*#.*/gm, "")
    .replaceAll("\\\n", "");
  const messages = [...code.matchAll(/\b(?:die|say|echo) "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
    text.replace(/\$\{[^}]*\}|\$\([^)]*\)|\$\w+/g, VALUE),
  );
  return { file, messages: sentences(messages) };
}

function sentences(texts: readonly string[]): string[] {
  const lines = texts.filter((text) => SENTENCE.test(text)).map((text) => text.replaceAll("\n", "\\n"));
  return [...new Set(lines)].sort();
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
