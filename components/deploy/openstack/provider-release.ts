import * as pulumi from "@pulumi/pulumi";

/**
 * The release of Pulumi's OpenStack provider that everything is made and looked up by. It looks at once whether
 * what it has asked for is there, where 3.15 first waits 10 s for a server and 5 s for a port.
 *
 * By itself `@pulumi/openstack` asks the engine for the release that it is of, and what npm has of it may be far
 * behind the provider. What is used of it has the same names in both.
 */
export const OPENSTACK_PROVIDER_VERSION = "5.5.1";

const RELEASE = { version: OPENSTACK_PROVIDER_VERSION };

/**
 * The options of a component whose resources of OpenStack this release makes, with the settings of their provider. A
 * program's other resources keep the release that they ask for.
 */
export function withRelease(opts: pulumi.ComponentResourceOptions = {}): pulumi.ComponentResourceOptions {
  const useRelease: pulumi.ResourceTransformation = ({ type, props, opts }) =>
    type.startsWith("openstack:") ? { props, opts: pulumi.mergeOptions(opts, RELEASE) } : undefined;
  return pulumi.mergeOptions(opts, { transformations: [useRelease] });
}

/** The options of a lookup, which no transformation sees, with this release. */
export function inRelease(opts: pulumi.InvokeOptions): pulumi.InvokeOptions {
  return { ...opts, ...RELEASE };
}
