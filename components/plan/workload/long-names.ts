import { groupKind } from "../../kube/objects/kinds";
import type { KubeObject } from "../../kube/objects/object";

/**
 * The maximum lengths of names with which controllers can create pods, in characters, with the reason. The API accepts
 * longer names for some kinds.
 */
const LONGEST: Readonly<Record<string, readonly [most: number, why: string]>> = {
  "apps/StatefulSet": [
    52,
    "its pods have a label with it and a hash of 10 characters, so none would be created",
  ],
  "batch/CronJob": [52, "its Jobs are named after it and the time, so the API rejects it"],
  "batch/Job": [63, "its pods have it as a label, so the API rejects it"],
};

/** Warnings about objects whose controller could create no pod, as their name is too long. */
export function longNameWarnings(place: string, objects: readonly KubeObject[]): readonly string[] {
  return objects.flatMap((object) => {
    const { kind, metadata } = object;
    const [most, why] = LONGEST[groupKind(object)] ?? [Infinity, ""];
    const { length } = metadata.name ?? "";
    if (length <= most) return [];
    return [
      `${place}: ${kind} ${metadata.name} has a name of ${length} characters; at most ${most} are allowed: ${why}`,
    ];
  });
}
