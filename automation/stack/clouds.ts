import { OpenStack } from "../../components/openstack/session";
import type { PulumiStack } from "./pulumi";
import type { ResourceState } from "./state";
import { nameOfUrn } from "./steps";

/** The cloud of a resource: that of the stack config, or one of clouds.yaml by its name. */
export interface ResourceCloud {
  /** @default the cloud of the stack config */
  readonly name?: string;
}

/** Type of an explicit provider, which is a resource of the state. */
const PROVIDER = "pulumi:providers:openstack";

/**
 * Finds the clouds of resources by their providers.
 * @param resources the resources of a state, with their providers
 * @returns a function that returns undefined for a provider of a program with a login of its own, which is not known
 */
export function cloudsOf(
  resources: readonly Pick<ResourceState, "urn" | "type" | "inputs">[],
): (resource: Pick<ResourceState, "provider">) => ResourceCloud | undefined {
  const names = new Map(
    resources.flatMap(({ urn, type, inputs }) => {
      const name = type === PROVIDER ? inputs?.["cloud"] : undefined;
      return typeof name === "string" ? [[urn, name] as const] : [];
    }),
  );
  return ({ provider = "" }) => {
    const urn = provider.slice(0, provider.lastIndexOf("::"));
    if (nameOfUrn(urn).startsWith("default")) return {};
    const name = names.get(urn);
    return name === undefined ? undefined : { name };
  };
}

/** Sessions with the clouds of a stack. Each begins when it is first needed. */
export class CloudSessions {
  readonly #sessions = new Map<string | undefined, () => Promise<OpenStack>>();

  constructor(private readonly stack: Pick<PulumiStack, "cloud">) {}

  /**
   * Returns the session with a cloud.
   * @param name in clouds.yaml. @default the cloud of the stack config
   * @throws Fault if the cloud is not set, or refuses the login
   */
  to(name?: string): Promise<OpenStack> {
    const session = this.#sessions.get(name) ?? OpenStack.whenNeeded(() => this.stack.cloud(name));
    this.#sessions.set(name, session);
    return session();
  }
}
