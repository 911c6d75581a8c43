import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../base/fault";
import { cloudAccess, type CloudAccess } from "../openstack/clouds";
import { OpenStack } from "../openstack/session";
import type { CloudConnection } from "../preflight/preflight";
import { answerOf } from "./settled";

/** The cloud in which instances are created. */
export interface Cloud extends CloudConnection {
  /**
   * Returns the access to the cloud.
   * @throws Fault naming the wrong or missing setting
   */
  readonly access: () => CloudAccess;
  /** Config of its provider, in the form of the stack config. */
  readonly config: Readonly<Record<string, string>>;
}

/**
 * Returns the cloud of an OpenStack provider in the program.
 *
 * @param provider undefined: that of the stack config (`openstack:*`) or of the environment
 */
export async function cloudOf(provider?: pulumi.ProviderResource): Promise<Cloud> {
  const config = provider === undefined ? pulumi.runtime.allConfig() : await configOf(provider);
  if (provider !== undefined) assertUsed(config, process.env);
  const access = () => cloudAccess(config);
  return {
    ...{ access, config },
    connect: OpenStack.whenNeeded(access),
    lookups: provider === undefined ? {} : { provider },
  };
}

/**
 * Checks that a provider uses its own arguments. The SDK reads OS_CLOUD if a provider has no `cloud`, and a cloud takes
 * precedence over other arguments, so instances could be created in the wrong cloud.
 *
 * @param config config of a provider
 * @throws Fault if the provider would ignore its arguments
 */
export function assertUsed(
  config: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const { "openstack:cloud": cloud, "openstack:authUrl": authUrl } = config;
  if (cloud === undefined || cloud !== env["OS_CLOUD"] || authUrl === undefined) return;
  if (authUrl === env["OS_AUTH_URL"]) return;
  throw new Fault(
    `an OpenStack provider has authUrl ${authUrl}, but OS_CLOUD=${cloud} of the environment overrides it: ` +
      "unset OS_CLOUD, or set a cloud of clouds.yaml in the provider",
  );
}

/** Returns the known arguments of a provider, in the form of the stack config. */
async function configOf(provider: pulumi.ProviderResource): Promise<Record<string, string>> {
  const outputs = Object.entries(provider).filter(([, value]) => pulumi.Output.isInstance(value));
  const config = await Promise.all(
    outputs.map(async ([key, output]) => {
      const { known } = await answerOf(output as pulumi.Output<unknown>);
      return typeof known?.value === "string" ? [[`openstack:${key}`, known.value] as const] : [];
    }),
  );
  return Object.fromEntries(config.flat());
}
