import { bytesOf } from "./scalar";
import type { At } from "./at";
import type { NodeTemplate } from "./types";

type Scalar = string | number | boolean;

/**
 * Warns about properties that violate the constraints of the package's own types. Other programs refuse such a package;
 * vnfm does not depend on these constraints.
 */
export function warnOfConstraints(templates: ReadonlyMap<string, NodeTemplate>): void {
  for (const template of templates.values())
    for (const { property, type, clauses } of template.constraints()) {
      const value = template.property(property).written();
      if (value === undefined) continue;
      for (const clause of clauses.isList ? clauses.items() : [clauses])
        for (const operator of clause.keys()) {
          const problem = violation(value, operator, clause.get(operator));
          if (problem !== undefined)
            template
              .property(property)
              .warn(`${JSON.stringify(value)} ${problem}, according to the constraints of ${type}`);
        }
    }
}

/**
 * Returns the reason why a value violates a constraint; undefined if it does not, or if TOSCA has no such constraint.
 */
function violation(value: Scalar, operator: string, at: At): string | undefined {
  const [one, two] = at.isList ? at.items().map((item) => item.written()) : [at.written()];
  switch (operator) {
    case "valid_values": {
      const known = at.items().flatMap((item) => item.written() ?? []);
      return known.some((other) => isEqual(value, other)) ? undefined : `is not one of ${known.join(", ")}`;
    }
    case "equal":
      return one === undefined || isEqual(value, one) ? undefined : `is not ${one}`;
    case "greater_than":
      return compared(value, one, (order) => order > 0, "is not more than");
    case "greater_or_equal":
      return compared(value, one, (order) => order >= 0, "is less than");
    case "less_than":
      return compared(value, one, (order) => order < 0, "is not less than");
    case "less_or_equal":
      return compared(value, one, (order) => order <= 0, "is more than");
    case "in_range":
      return (
        compared(value, one, (order) => order >= 0, "is less than") ??
        compared(value, two, (order) => order <= 0, "is more than")
      );
    case "length":
      return compared(String(value).length, one, (order) => order === 0, "does not have the length");
    case "min_length":
      return compared(String(value).length, one, (order) => order >= 0, "is shorter than");
    case "max_length":
      return compared(String(value).length, one, (order) => order <= 0, "is longer than");
    default:
      return undefined;
  }
}

/** Compares values: YAML reads `1.0` as a number, but a VNFD may have it as a string. */
function isEqual(one: Scalar, other: Scalar): boolean {
  return String(one) === String(other) || (numberOf(one) ?? NaN) === numberOf(other);
}

/**
 * @param other the limit. A value that cannot be compared, such as `UNBOUNDED`, is no limit
 * @param isMet returns true for an allowed order of value and limit: negative, 0 or positive
 */
function compared(
  value: Scalar,
  other: Scalar | undefined,
  isMet: (order: number) => boolean,
  problem: string,
): string | undefined {
  const [left, right] = [numberOf(value), other === undefined ? undefined : numberOf(other)];
  if (left === undefined || right === undefined || isMet(left - right)) return undefined;
  return `${problem} ${String(other)}`;
}

/** Converts a value to a number, a size to bytes. */
function numberOf(value: Scalar): number | undefined {
  if (typeof value === "boolean" || value === "") return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? bytesOf(String(value), "B") : number;
}
