import * as pulumi from "@pulumi/pulumi";

/**
 * The value, but not before the resource is there. A preview knows the URN of what is to be replaced, unlike
 * its id, so it does not show changes of all that uses the value.
 */
export function after<T>(resource: pulumi.Resource, value: pulumi.Output<T>): pulumi.Output<T> {
  return pulumi.all([value, resource.urn]).apply(([it]) => it as T);
}

/**
 * The text, not known before the resource is made. Unlike `after`, which goes by the URN, it is unknown in a preview of
 * the resource's creation: what has the text for its id is not read in that preview.
 */
export function onceMade(resource: pulumi.CustomResource, text: string): pulumi.Output<string> {
  return resource.id.apply(() => text);
}
