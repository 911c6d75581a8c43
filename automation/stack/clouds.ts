import type { NamedCloud } from "../../components/openstack/clouds";
import { OpenStack } from "../../components/openstack/session";
import type { PulumiStack } from "./pulumi";
import type { ResourceState } from "./state";
import { nameOfUrn } from "./steps";

/** The cloud of a resource: that of the stack config, or one of clouds.yaml. */
export interface ResourceCloud {
  /** @default the cloud of the stack config */
  readonly named?: NamedCloud;
}

/** Inputs of a provider whose login comes from clouds.yaml alone. Pulumi itself adds `__internal`. */
const OF_NAMED = ["cloud", "region", "version", "__internal"];
/** Type of an explicit provider, which is a resource of the state. */
const PROVIDER = "pulumi:providers:openstack";
/** Matches the name of the provider with the settings of the stack config, such as `default_5_5_1`. */
const DEFAULT = /^default(_\d.*)?$/;

/**
 * Finds the clouds of resources by their providers.
 * @param resources the resources of a state, with their providers
 * @returns a function that returns undefined for a cloud that is not known: a provider of a program has more settings
 * than the name of a cloud and a region
 */
export function cloudsOf(
  resources: readonly Pick<ResourceState, "urn" | "type" | "inputs">[],
): (resource: Pick<ResourceState, "provider">) => ResourceCloud | undefined {
  const clouds = new Map(
    resources.flatMap(({ urn, type, inputs = {} }) => {
      const named = type === PROVIDER ? namedBy(inputs) : undefined;
      return named === undefined ? [] : [[urn, { named }] as const];
    }),
  );
  return ({ provider = "" }) => {
    const urn = provider.slice(0, provider.lastIndexOf("::"));
    return DEFAULT.test(nameOfUrn(urn)) ? {} : clouds.get(urn);
  };
}

function namedBy(inputs: Readonly<Record<string, unknown>>): NamedCloud | undefined {
  const { cloud, region } = inputs;
  const isMore = Object.keys(inputs).some((key) => !OF_NAMED.includes(key));
  if (typeof cloud !== "string" || isMore) return undefined;
  if (region === undefined) return { cloud };
  return typeof region === "string" ? { cloud, region } : undefined;
}

/** Sessions with the clouds of a stack. Each begins when it is first needed. */
export class CloudSessions {
  readonly #sessions = new Map<string, () => Promise<OpenStack>>();

  constructor(private readonly stack: Pick<PulumiStack, "cloud">) {}

  /**
   * Returns the session with a cloud.
   * @param named a cloud of clouds.yaml. @default the cloud of the stack config
   * @throws Fault if the cloud is not set, or refuses the login
   */
  to(named?: NamedCloud): Promise<OpenStack> {
    const key = keyOf(named);
    const session = this.#sessions.get(key) ?? OpenStack.whenNeeded(() => this.stack.cloud(named));
    this.#sessions.set(key, session);
    return session();
  }
}

/** The cloud that the setting `cloud` of an instance names. Undefined: the cloud of the stack config. */
export function cloudOfSetting(cloud: string | undefined): NamedCloud | undefined {
  return cloud === undefined ? undefined : { cloud };
}

/** A text that is the same for equal clouds, and different for all others. */
export function keyOf(named: NamedCloud | undefined): string {
  return JSON.stringify([named?.cloud, named?.region]);
}
