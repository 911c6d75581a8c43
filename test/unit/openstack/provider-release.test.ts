import type * as pulumi from "@pulumi/pulumi";
import { withRelease } from "../../../components/deploy/openstack/provider-release";

/** The release that a resource of a component with these options asks for. */
function releaseOf(type: string, { transformations = [] }: pulumi.ComponentResourceOptions): unknown {
  const props = { name: "a" };
  const args = { resource: {} as pulumi.Resource, type, name: "a", props, opts: { version: "3.15.2" } };
  return transformations.reduce((opts, transform) => {
    const changed = transform({ ...args, opts });
    if (changed !== undefined) expect(changed.props).toBe(props);
    return changed?.opts ?? opts;
  }, args.opts as pulumi.CustomResourceOptions).version;
}

test("resources of OpenStack in a component ask for the release of the provider that the program names", () => {
  expect(releaseOf("openstack:compute/instance:Instance", withRelease())).toBe("5.5.1");
});

test("resources of other providers ask for the release that they are of", () => {
  expect(releaseOf("kubernetes:core/v1:Secret", withRelease())).toBe("3.15.2");
});

test("the component keeps the options that it was given", () => {
  const given = { protect: true, transformations: [() => undefined] };
  const { protect, transformations } = withRelease(given);
  expect({ protect, first: transformations?.[0] }).toEqual({
    protect: true,
    first: given.transformations[0],
  });
});
