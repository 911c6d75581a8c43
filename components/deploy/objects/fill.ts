import * as pulumi from "@pulumi/pulumi";
import { filled, marksIn, type Scalar } from "../../kube/objects/attributes";
import type { KubeObject } from "../../kube/objects/object";
import { mapValues } from "../../plan/workload/chart-values";

/** What attributes of other instances stand for, by their marks. */
export type AttributeValues = ReadonlyMap<string, pulumi.Output<Scalar>>;

/** Data of the plan in which an output stands in the place of each text with a mark. */
export function fill(data: unknown, values: AttributeValues): unknown {
  if (values.size === 0) return data;
  return mapValues(data, (leaf) => (typeof leaf === "string" ? fillText(leaf, values) : leaf));
}

/** See fill. What of an object is known before the run has no mark. */
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
