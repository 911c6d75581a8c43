import * as pulumi from "@pulumi/pulumi";

/** The annotation that names the CNF which an object goes with. */
export const OWNER = "vnfm.io/owner";

/** The CNF in the annotation OWNER: `<stack>/<instance>`. */
export function ownerOf(instance: string): string {
  return `${pulumi.getStack()}/${instance}`;
}

/** The annotation of objects that are no resources of their own in the state. */
export const BUNDLED = "vnfm.io/bundled";

/** The annotation by which the Kubernetes plugin is told the field manager of an object. */
export const FIELD_MANAGER = "pulumi.com/patchFieldManager";

/** The annotation by which the Kubernetes plugin takes fields over from other field managers. */
export const PATCH_FORCE = "pulumi.com/patchForce";

/**
 * Whose the fields of an object are, in the words of server-side apply. The plugin would take a random one for each
 * creation: one that was cut off and is done again would conflict with itself.
 */
export function fieldManager(): string {
  return `vnfm-${pulumi.getStack()}`;
}

/** Of objects that stay, which CNFs of several stacks may have. */
export const SHARED_FIELD_MANAGER = "vnfm";
