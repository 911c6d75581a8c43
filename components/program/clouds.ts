import { Provider } from "@pulumi/openstack/provider";
import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../base/fault";
import { OPENSTACK_PROVIDER_VERSION } from "../deploy/openstack/provider-release";
import { cloudAccess, namedCloudAccess, type CloudAccess } from "../openstack/clouds";
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
  /** Its provider. Undefined: the default provider of the program. */
  readonly provider: pulumi.ProviderResource | undefined;
}

/** The clouds of a program. Each has one provider and one session. */
export class Clouds {
  readonly #named = new Map<string, Cloud>();
  readonly #ofProviders = new Map<pulumi.ProviderResource | undefined, Promise<Cloud>>();

  /**
   * Returns the cloud of an instance.
   * @param instance its plan, or another object with the name of its cloud
   * @param provider provider of its component. @default the default provider
   * @throws Fault if clouds.yaml has no such cloud, or the environment would change its login
   */
  async of(
    instance: { readonly cloud?: string | undefined },
    provider?: pulumi.ProviderResource,
  ): Promise<Cloud> {
    const { cloud } = instance;
    if (cloud !== undefined) return this.#named.get(cloud) ?? this.#add(cloud);
    const known = this.#ofProviders.get(provider) ?? cloudOf(provider);
    this.#ofProviders.set(provider, known);
    return known;
  }

  /** Creates the provider of a cloud of clouds.yaml. */
  #add(name: string): Cloud {
    const access = () => namedCloudAccess({ cloud: name });
    // else the plugin would report a missing cloud, by the name of its resource
    access();
    const version = OPENSTACK_PROVIDER_VERSION;
    const provider = new Provider(`cloud-${name}`, { cloud: name }, { version });
    const cloud = connectionBy(access, { "openstack:cloud": name }, provider);
    this.#named.set(name, cloud);
    return cloud;
  }
}

/**
 * Returns the cloud of an OpenStack provider in the program.
 *
 * @param provider undefined: that of the stack config (`openstack:*`) or of the environment
 */
export async function cloudOf(provider?: pulumi.ProviderResource): Promise<Cloud> {
  const config = provider === undefined ? pulumi.runtime.allConfig() : await configOf(provider);
  if (provider !== undefined) assertUsed(config, process.env);
  return connectionBy(() => cloudAccess(config), config, provider);
}

function connectionBy(
  access: () => CloudAccess,
  config: Readonly<Record<string, string>>,
  provider: pulumi.ProviderResource | undefined,
): Cloud {
  return {
    ...{ access, config, provider },
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
