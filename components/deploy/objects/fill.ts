import * as pulumi from "@pulumi/pulumi";
import { filled, marksIn, type Scalar } from "../../kube/objects/attributes";
import type { KubeObject } from "../../kube/objects/object";
import { mapValues } from "../../plan/workload/chart-values";

/** The values of attributes of other instances, by their placeholders. */
export type AttributeValues = ReadonlyMap<string, pulumi.Output<Scalar>>;

/** Replaces each text with placeholders in data of the plan by an output with the values. */
export function fill(data: unknown, values: AttributeValues): unknown {
  if (values.size === 0) return data;
  return mapValues(data, (leaf) => (typeof leaf === "string" ? fillText(leaf, values) : leaf));
}

/** Replaces placeholders in an object, like fill. Fields that must be known before the run contain no placeholder. */
export function fillObject(object: KubeObject, values: AttributeValues): KubeObject {
  return fill(object, values) as KubeObject;
}

function fillText(text: string, values: AttributeValues): unknown {
  const marks = marksIn(text).flatMap((mark) => {
    const value = values.get(mark);
    return value === undefined ? [] : [value.apply((known) => [mark, known] as const)];
  });
  return marks.length === 0 ? text : pulumi.all(marks).apply((known) => filled(text, new Map(known)));
}
