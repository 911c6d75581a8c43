import { groupKind } from "../../kube/objects/kinds";
import type { KubeObject } from "../../kube/objects/object";

/** The longest names with which controllers can make pods, in characters, and why. The API takes longer ones of some. */
const LONGEST: Readonly<Record<string, readonly [most: number, why: string]>> = {
  "apps/StatefulSet": [52, "its pods have a label of it and a hash of 10 characters, and none would be made"],
  "batch/CronJob": [52, "its Jobs are named after it and the time, and the API refuses it"],
  "batch/Job": [63, "its pods have it as a label, and the API refuses it"],
};

/** A warning for each object whose controller could make no pod with its name. */
export function longNameWarnings(place: string, objects: readonly KubeObject[]): readonly string[] {
  return objects.flatMap((object) => {
    const { kind, metadata } = object;
    const [most, why] = LONGEST[groupKind(object)] ?? [Infinity, ""];
    const { length } = metadata.name ?? "";
    if (length <= most) return [];
    return [
      `${place}: ${kind} ${metadata.name} has a name of ${length} characters, of at most ${most}: ${why}`,
    ];
  });
}
