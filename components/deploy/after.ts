import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";

/**
 * The value, but not before the resource is there. A preview knows the URN of what is to be replaced, unlike
 * its id, so it does not show changes of all that uses the value.
 */
export function after<T>(resource: pulumi.Resource, value: pulumi.Output<T>): pulumi.Output<T> {
  return pulumi.all([value, resource.urn]).apply(([it]) => it as T);
}

/**
 * A trigger of a command that ends before the resource, where that is replaced, and is done again after it. The engine
 * goes by what the trigger depends on, so its value is always the same: a URN has the names of stack and project, which
 * can change.
 */
export function togetherWith(resource: pulumi.Resource): pulumi.Output<string> {
  return after(resource, pulumi.output("together"));
}

/**
 * The text, not known before the resource is made. Unlike `after`, which goes by the URN, it is unknown in a preview of
 * the resource's creation: what has the text for its id is not read in that preview.
 */
export function onceMade(resource: pulumi.CustomResource, text: string): pulumi.Output<string> {
  // a preview of a command's creation knows its id
  const made = resource instanceof local.Command ? resource.stdout : resource.id;
  return pulumi.unsecret(made.apply(() => text));
}
