import { readFileSync } from "node:fs";
import type { Fields } from "../../components/kube/objects/object";
import { Fault } from "../fault";

export interface Settings {
  readonly settings: Fields;
  /** Remarks for the operator: fields without a setting, with the reason, and settings to review. */
  readonly remarks: readonly string[];
}

/** A template, a cluster or a node group as settings. */
export interface Converted extends Settings {
  readonly name: string;
}

export interface Conversion {
  readonly templates: readonly Converted[];
  readonly vnfs: readonly Converted[];
}

/** A file and its content. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** @throws Fault for a file that cannot be read */
export function readSource(path: string): SourceFile {
  try {
    return { path, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new Fault(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

/** @throws Fault with all faults, if there are any */
export function assertConverted(faults: readonly string[]): void {
  if (faults.length > 0) throw new Fault(["these cannot be converted:", ...faults].join("\n  "));
}

/** Maximum lengths of the names of an instance, and of a node group. */
export const LONGEST = { instance: 32, nodeGroup: 16 } as const;

/** Converts a name to a valid one for an instance or a node group. */
export function settingName(name: string, longest: number): string {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return (
    letters
      .replace(/^[^a-z]+/, "")
      .slice(0, longest)
      .replace(/-+$/, "") || "unnamed"
  );
}

/** The setting of cluster-autoscaler for a cluster with an autoscaled group; empty without one. */
export function withAutoscaler(groups: readonly Settings[]): Fields {
  return groups.some(({ settings }) => "autoscaling" in settings) ? { autoscaler: {} } : {};
}

/** Names that occur several times. */
export function doubles(all: readonly Converted[]): readonly string[] {
  const names = all.map(({ name }) => name);
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}

/**
 * Returns true for a value that may contain a login, as the URL `http://user:password@host` or as `user:password@host`.
 */
export function hasLogin(value: string): boolean {
  const colon = value.indexOf(":");
  return colon !== -1 && colon < value.lastIndexOf("@");
}
