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
 * The text, not known before the output is. Unlike `after`, which goes by the URN, it is unknown in a preview of the
 * creation that the output comes from: what has the text for its id is not read in that preview.
 *
 * @param made output of a resource; not the id of a command, which a preview of its creation knows
 */
export function onceMade(made: pulumi.Output<unknown>, text: string): pulumi.Output<string> {
  return pulumi.unsecret(made.apply(() => text));
}
