import * as pulumi from "@pulumi/pulumi";

/**
 * The release of Pulumi's OpenStack provider for all resources and lookups. It checks at once whether a created
 * resource exists, while 3.15 first waits 10 s for a server and 5 s for a port.
 * By default `@pulumi/openstack` requests its own release from the engine, and the npm package may be far behind the
 * provider. The parts in use have the same names in both.
 */
export const OPENSTACK_PROVIDER_VERSION = "5.5.1";

const RELEASE = { version: OPENSTACK_PROVIDER_VERSION };

/**
 * Options that make a component create its OpenStack resources with this release, with the settings of their provider.
 * Other resources of a program keep their release.
 */
export function withRelease(opts: pulumi.ComponentResourceOptions = {}): pulumi.ComponentResourceOptions {
  const useRelease: pulumi.ResourceTransformation = ({ type, props, opts }) =>
    type.startsWith("openstack:") ? { props, opts: pulumi.mergeOptions(opts, RELEASE) } : undefined;
  return pulumi.mergeOptions(opts, { transformations: [useRelease] });
}

/** Options of a lookup with this release, because transformations do not apply to lookups. */
export function inRelease(opts: pulumi.InvokeOptions): pulumi.InvokeOptions {
  return { ...opts, ...RELEASE };
}
