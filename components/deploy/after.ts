import * as pulumi from "@pulumi/pulumi";

/**
 * The value, but not before the resource is there. A preview knows the URN of what is to be replaced, unlike
 * its id, so it does not show changes of all that uses the value.
 */
export function after<T>(resource: pulumi.Resource, value: pulumi.Output<T>): pulumi.Output<T> {
  return pulumi.all([value, resource.urn]).apply(([it]) => it as T);
}
