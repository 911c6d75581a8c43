/** The table of Magnum's properties and labels fits the settings that there are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LABELS, PROPERTIES } from "../../../../automation/magnum/table";
import { DEFINITIONS, resolve, type Schema } from "../../../../components/settings/schema-part";
import { withTables } from "../../../../docs/generate-magnum";
import { REPOSITORY } from "../../../support/command";

/** Returns true if clusters have a setting at a path; any key of a map is one. */
function isSetting(path: string, part: Schema = DEFINITIONS.cluster): boolean {
  const [key = "", ...rest] = path.split(".");
  const { properties, additionalProperties } = resolve(part);
  const group = key === "nodeGroup" ? (DEFINITIONS.nodeGroup as Schema) : undefined;
  const inner =
    group ??
    properties?.[key] ??
    (typeof additionalProperties === "object" ? additionalProperties : undefined);
  return inner !== undefined && (rest.length === 0 || isSetting(rest.join("."), inner));
}

const rows = [...PROPERTIES, ...LABELS];

it("leads to settings that clusters have", () => {
  const paths = rows.flatMap((row) => ("to" in row ? row.to : []));
  expect(paths.filter((path) => !isSetting(path))).toEqual([]);
});

it("the table names labels in `needs` and properties in `unless` that are in it", () => {
  const placed = rows.flatMap((row) => ("to" in row ? [row] : []));
  const labels = LABELS.map(({ name }) => name);
  const properties = PROPERTIES.map(({ name }) => name);
  expect(placed.filter(({ needs }) => needs !== undefined && !labels.includes(needs))).toEqual([]);
  expect(placed.filter(({ unless }) => unless !== undefined && !properties.includes(unless))).toEqual([]);
});

it("the table says of each label who names it, and of none both a place and no place", () => {
  expect(LABELS.filter(({ of }) => of === undefined)).toEqual([]);
  const withoutPlace = rows.filter((row) => !("to" in row)).map(({ name }) => name);
  expect(withoutPlace.filter((name) => rows.filter((row) => row.name === name).length > 1)).toEqual([]);
});

it("the table is what docs/migrate-from-magnum.md has, by `npx ts-node docs/generate-magnum.ts`", () => {
  const page = readFileSync(join(REPOSITORY, "docs/migrate-from-magnum.md"), "utf8");
  expect(page).toBe(withTables(page));
});
