import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";

/**
 * Delays a value until a resource exists. A preview knows the URN of a resource that will be replaced, but not its id;
 * with the URN it shows no changes of everything that uses the value.
 */
export function after<T>(resource: pulumi.Resource, value: pulumi.Output<T>): pulumi.Output<T> {
  return pulumi.all([value, resource.urn]).apply(([it]) => it as T);
}

/**
 * A trigger that ends a command before a resource is replaced, and runs it again afterwards. Pulumi only looks at the
 * dependencies of a trigger, so its value is constant: a URN contains the names of stack and project, which can change.
 */
export function togetherWith(resource: pulumi.Resource): pulumi.Output<string> {
  return after(resource, pulumi.output("together"));
}

/**
 * Delays a text until a resource is created. Unlike with `after`, the text is unknown in a preview of the creation, so
 * that no lookup by an id in the text runs.
 */
export function onceMade(resource: pulumi.CustomResource, text: string): pulumi.Output<string> {
  // a preview of a command's creation knows its id, but not its output
  const made = resource instanceof local.Command ? resource.stdout : resource.id;
  return pulumi.unsecret(made.apply(() => text));
}
