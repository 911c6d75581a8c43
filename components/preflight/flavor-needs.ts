import { Findings } from "../base/findings";
import type { Flavor } from "../openstack/session";
import { withServers, type InstancePlan } from "../plan/model";
import type { ExtraSpec, PlannedServer } from "../plan/servers/model";
import { own } from "../base/own";
import { answered, logWarnings, type Cloud, type Connect } from "./cloud";
import { extraSpecsOf, flavorOf, lackOf } from "./flavors";
import { flavorsIn } from "./resources";

/**
 * Warns about flavors without properties that a VNFD requires, such as pinned CPUs or large pages: Nova creates such a
 * server, which is slower than its VNF needs.
 * @param connect connects to the cloud, which is needed only for such requirements
 */
export async function warnOfFlavorNeeds(plans: readonly InstancePlan[], connect: Connect): Promise<void> {
  if (demandingServers(plans).length === 0) return;
  await logWarnings("what flavors have is", async () => flavorNeeds(plans, await connect()));
}

/**
 * Warnings about the flavors of VDUs that lack a requirement. Missing and ambiguous flavors are reported by the lookup
 * by name.
 */
export async function flavorNeeds(plans: readonly InstancePlan[], cloud: Cloud): Promise<readonly string[]> {
  const flavors = await flavorsIn(cloud);
  const warnings = await Promise.all(
    demandingServers(plans).map(async ({ instance, server, required }) => {
      const flavor = flavorOf(server.flavor, flavors);
      if (flavor === undefined) return [];
      const { text } = new Findings().instance(instance).get("flavors", server.vdu.id);
      return (await lacks(flavor, required, cloud)).map((lack) => `${text}: ${lack}`);
    }),
  );
  return warnings.flat();
}

/** One server of each VDU with requirements, as all servers of a VDU have the same flavor. */
function demandingServers(plans: readonly InstancePlan[]): readonly {
  readonly instance: string;
  readonly server: PlannedServer;
  readonly required: readonly ExtraSpec[];
}[] {
  return withServers(plans).flatMap(({ name: instance, servers }) =>
    [...new Map(servers.map((server) => [server.vdu.id, server])).values()].flatMap((server) => {
      const { extraSpecs: required = [] } = server.vdu;
      return required.length === 0 ? [] : [{ instance, server, required }];
    }),
  );
}

function lacks(flavor: Flavor, required: readonly ExtraSpec[], cloud: Cloud): Promise<string[]> {
  return answered(
    async () => {
      const has = await extraSpecsOf(flavor, cloud);
      return lackOf(required, has).map((spec) => {
        const value = own(has, spec.name);
        const found = value === undefined ? `no ${spec.name}` : `${spec.name}=${value}`;
        return (
          `the flavor "${flavor.name}" has ${found}, and ${spec.property} of the VNFD requires ${shown(spec)}; ` +
          "use one that has it"
        );
      });
    },
    // a project may not be allowed to read extra specs
    ({ message }) => [
      `whether the flavor "${flavor.name}" has ${required.map(shown).join(", ")}, which the VNFD requires, is not known: ${message}`,
    ],
  );
}

function shown({ name, value }: ExtraSpec): string {
  return value === undefined ? name : `${name}=${value}`;
}
