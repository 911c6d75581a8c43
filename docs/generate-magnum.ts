/**
 * Writes the tables of docs/migrate-from-magnum.md, below its text, from automation/magnum/table.ts:
 *   npx ts-node docs/generate-magnum.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LABELS, PROPERTIES, type Row } from "../automation/magnum/table";
import { table } from "./generate";

const FIRST = "## Properties";

/** The page with the tables as they are now. */
export function withTables(page: string): string {
  const [text = ""] = page.split(FIRST);
  const properties = PROPERTIES.map((row) => [`\`${row.name}\``, here(row)]);
  const labels = LABELS.map((row) => [`\`${row.name}\``, (row.of ?? []).join(", "), here(row)]);
  return [
    `${text}${FIRST}\n`,
    `${table([["property", "here"], ...properties])}\n`,
    "## Labels\n",
    `${table([["label", "of", "here"], ...labels])}\n`,
  ].join("\n");
}

function here(row: Row): string {
  if ("groups" in row) return row.groups;
  if ("why" in row) return `no place: ${row.why}`;
  const conditions = [
    ...(row.needs === undefined ? [] : [`with \`${row.needs}\``]),
    ...(row.unless === undefined ? [] : [`without \`${row.unless}\``]),
    ...(row.driver === undefined ? [] : [`with network driver \`${row.driver}\``]),
  ];
  return [row.to.map((path) => `\`${path}\``).join(", "), ...conditions].join("; ");
}

if (require.main === module) {
  const page = join(__dirname, "migrate-from-magnum.md");
  writeFileSync(page, withTables(readFileSync(page, "utf8")));
}
