import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

/** The annotation with the owner of an object: a CNF. */
export const OWNER = "vnfm.io/owner";

/**
 * The owner of a CNF's objects, for their annotation, and of servers, for their metadata.
 * @param identity of the stack: see stackIdentity
 */
export function ownerOf(identity: string, instance: string): string {
  return `${identity}/${instance}`;
}

/** Name of the resource that keeps the stack's identity in the state. */
export const IDENTITY = "identity";

/** Variable with the identity of a stack whose state is made again. */
export const FORMER_IDENTITY = "VNFM_IDENTITY";

/**
 * An identity of this stack that never changes, such as `site-1-5f0c2a9e`: generated in the first run and kept in the
 * state. The stack's name does not suffice, because it can change, and stacks of other projects and backends may have
 * the same. The identity starts with the stack's first name, for human readers. It is the only random value that the
 * program generates: Pulumi keeps the first one, and in a preview it is unknown.
 */
export function stackIdentity(): pulumi.Output<string> {
  const unique = pulumi.runtime.isDryRun() ? "not-made-yet" : randomBytes(4).toString("hex");
  const input = process.env[FORMER_IDENTITY] ?? `${pulumi.getStack()}-${unique}`;
  const { output } = new pulumi.Stash(IDENTITY, { input }, { ignoreChanges: ["input"] });
  return output.apply(String);
}

/** Annotation of objects that vnfm applies without a resource in the state. */
export const BUNDLED = "vnfm.io/bundled";

/** The annotation that sets the field manager of an object for the Kubernetes provider. */
export const FIELD_MANAGER = "pulumi.com/patchFieldManager";

/** Annotation that makes the Kubernetes provider take fields over from other field managers. */
export const PATCH_FORCE = "pulumi.com/patchForce";

/**
 * The field manager of server-side apply, the same for every stack, because the annotation OWNER already has the owner.
 * The provider would generate a new one for each creation, so that a creation which was cut off and is repeated would
 * conflict with itself.
 */
export const MANAGER = "vnfm";
