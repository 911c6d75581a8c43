import { isFields, merge, type Fields } from "../../components/kube/objects/object";
import { hasLogin, type Settings } from "./conversion";
import { hasVariable } from "./variables";

/** The setting's value for the value of a field. */
export type Reading =
  | { readonly value: unknown; readonly remark?: string }
  /** The reason why the field has no setting. */
  | { readonly why: string };

/** Reads a field. Undefined: the field has no effect. */
export type Reader = (value: unknown) => Reading | undefined;

/** A row of a conversion table: a field, and its treatment. */
export type Row = { readonly at: string } & (
  | { readonly to: string; readonly read: Reader; readonly readsVariables?: true }
  | {
      readonly why: string;
      /** Values that can be dropped without a remark. */
      readonly usual?: readonly unknown[];
    }
  /** The field is not needed: its effect is the default, or exists in the source only. */
  | { readonly isNeedless: true }
);

/** A row for a field that is not needed in the stack config. */
export const needless = (at: string): Row => ({ at, isNeedless: true });

/** Rows with a prefix, for a part that has another path in other objects. */
export function below(path: string, rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => ({ ...row, at: `${path}.${row.at}` }));
}

/**
 * Converts the fields of an object to settings, with a remark for each unknown field.
 * @param name prefix of remarks
 * @param otherwise advice for unknown fields
 */
export function taken(value: unknown, rows: readonly Row[], name: string, otherwise: string): Settings {
  const { settings, remarks } = combined(walk(value, "", rows, otherwise));
  return { settings, remarks: remarks.map((remark) => [name, remark].filter(Boolean).join(" ")) };
}

/** Joins the settings of several parts; later parts override. */
export function combined(parts: readonly (Settings | undefined)[]): Settings {
  const found = parts.filter((part) => part !== undefined);
  return {
    settings: found.reduce<Fields>((merged, { settings }) => merge(merged, settings), {}),
    remarks: found.flatMap(({ remarks }) => remarks),
  };
}

function walk(value: unknown, path: string, rows: readonly Row[], otherwise: string): readonly Settings[] {
  if (isNothing(value)) return [];
  const goesOn = path === "" || rows.some(({ at }) => at.startsWith(`${path}.`));
  if (goesOn && (isFields(value) || Array.isArray(value)))
    return Object.entries(value).flatMap(([key, inner]) =>
      walk(inner, path === "" ? key : `${path}.${key}`, rows, otherwise),
    );
  const own = rows.filter(({ at }) => at === path);
  if (own.length > 0) return own.map((row) => placed(row, value, path));
  return [{ settings: {}, remarks: [`${shown(path, value)}: ${otherwise}`] }];
}

function placed(row: Row, value: unknown, path: string): Settings {
  const left = (why: string): Settings => ({ settings: {}, remarks: [`${shown(path, value)}: ${why}`] });
  if ("isNeedless" in row) return { settings: {}, remarks: [] };
  if ("why" in row)
    return row.usual?.some((one) => JSON.stringify(one) === JSON.stringify(value))
      ? { settings: {}, remarks: [] }
      : left(row.why);
  if (row.readsVariables === undefined && hasVariable(value))
    return left(`is a variable without a value: set it in the environment, or write \`${row.to}\``);
  const reading = row.read(value);
  if (reading === undefined) return { settings: {}, remarks: [] };
  if ("why" in reading) return left(reading.why);
  return {
    settings: atPath(row.to.split("."), reading.value),
    remarks: reading.remark === undefined ? [] : [`${path}: ${reading.remark}`],
  };
}

function atPath([key = "", ...rest]: readonly string[], value: unknown): Fields {
  return { [key]: rest.length === 0 ? value : atPath(rest, value) };
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Describes a field, with its value if that is a single short one without a login. */
function shown(path: string, value: unknown): string {
  const text = typeof value === "object" ? "" : JSON.stringify(value);
  return text === "" || text.length > 60 || hasLogin(text) ? path : `${path} ${text}`;
}
