import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

/** The annotation that names the CNF which an object goes with. */
export const OWNER = "vnfm.io/owner";

/** The CNF in the annotation OWNER. @param identity of the stack: see stackIdentity */
export function ownerOf(identity: string, instance: string): string {
  return `${identity}/${instance}`;
}

/** Name of the resource that keeps the stack's identity in the state. */
export const IDENTITY = "identity";

/**
 * What tells this stack from all others for good, such as `site-1-5f0c2a9e`: made in the first run and kept in the state.
 * The stack's own name does not do: it can change, and stacks of other projects and backends may have it. It only begins
 * the identity, as the stack was called at first, for people who read it.
 *
 * The program's one random value: the engine ignores all but the first, and a preview has none.
 */
export function stackIdentity(): pulumi.Output<string> {
  const unique = pulumi.runtime.isDryRun() ? "not-made-yet" : randomBytes(4).toString("hex");
  const input = `${pulumi.getStack()}-${unique}`;
  const { output } = new pulumi.Stash(IDENTITY, { input }, { ignoreChanges: ["input"] });
  return output.apply(String);
}

/** The annotation of objects that are no resources of their own in the state. */
export const BUNDLED = "vnfm.io/bundled";

/** The annotation by which the Kubernetes plugin is told the field manager of an object. */
export const FIELD_MANAGER = "pulumi.com/patchFieldManager";

/** The annotation by which the Kubernetes plugin takes fields over from other field managers. */
export const PATCH_FORCE = "pulumi.com/patchForce";

/**
 * Whose the fields of an object are, in the words of server-side apply: the same for every stack, as OWNER says whose an
 * object is. The plugin would take a random one for each creation: one that was cut off and is done again would conflict
 * with itself.
 */
export const MANAGER = "vnfm";
