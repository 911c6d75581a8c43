import { listed } from "../../components/openstack/listing";
import type { OpenStack } from "../../components/openstack/session";
import { Fault } from "../fault";
import { lookupOf, progress, type Item } from "../recovery/lookups";
import type { Properties } from "../stack/state";

/** A port of the project, as Neutron lists it. */
interface Port extends Item {
  readonly id: string;
  readonly network_id: string;
  /** Id of the server or router that has it. Empty: none. */
  readonly device_id: string;
  readonly device_owner: string;
  readonly fixed_ips?: readonly { readonly subnet_id: string }[];
  readonly security_groups?: readonly string[];
}

/** An item of the cloud that is the result of a creation. */
export interface Found {
  /** The provider's id. */
  readonly id: string;
  readonly name: string;
}

/** Session with the cloud of the stack. */
type Cloud = Pick<OpenStack, "get" | "userId">;

/** Generated names end with these digits. */
const SUFFIX = /[0-9a-f]{7}$/;

/**
 * The items of a project that belong to the servers of one stack. Other stacks may have items with the same names in the
 * project, so the servers that use an item decide whose it is.
 */
export class Belongings {
  private constructor(
    private readonly cloud: Cloud,
    private readonly servers: ReadonlySet<string>,
    private readonly ports: readonly Port[],
  ) {}

  /**
   * @param servers ids of the servers of the stack
   */
  static async of(cloud: Cloud, servers: readonly string[]): Promise<Belongings> {
    const ports = await listed<Port>(cloud, "network", "/v2.0/ports", "ports");
    return new Belongings(cloud, new Set(servers), ports);
  }

  /**
   * Finds the item that an earlier run has created.
   * @param inputs of the creation
   * @param formerId id in an earlier state. Undefined: there is none
   * @returns undefined if there is none
   * @throws Fault if several match, or if items of that type cannot be found
   */
  async find(type: string, inputs: Properties, formerId?: string): Promise<Found | undefined> {
    const lookup = lookupOf(type);
    if (lookup === undefined) throw new Fault(`vnfm cannot find resources of type ${type}`);
    const { name } = inputs;
    const isGenerated = ((inputs["__defaults"] ?? []) as readonly string[]).includes("name");
    const path = lookup.path(isGenerated ? { ...inputs, name: undefined } : inputs, this.cloud);
    const all = await listed<Item>(this.cloud, lookup.service, path, lookup.key);
    const matching = all
      .filter((item) => !isGenerated || hasPrefix(item["name"], String(name)))
      .filter((item) => lookup.matches(item, isGenerated ? { ...inputs, name: item["name"] } : inputs))
      .filter(
        (item) =>
          item["network_id"] === undefined ||
          item["network_id"] === (inputs["networkId"] ?? item["network_id"]),
      )
      .filter((item) => !["leaving", "gone"].includes(progress(item)));
    const former = matching.find((one) => lookup.id(one, inputs) === formerId);
    const [item, ...others] = former === undefined ? this.#own(type, matching) : [former];
    if (item === undefined) return undefined;
    const ids = [item, ...others].map((one) => lookup.id(one, inputs));
    if (others.length > 0)
      throw new Fault(
        `${ids.join(", ")}: it is not certain which of them belongs to this stack. Others may use them: give an export of ` +
          "a former state that has it with --former",
      );
    return { id: ids[0] ?? "", name: String(item["name"]) };
  }

  /** The items that servers of the stack use, else those that no server uses. */
  #own(type: string, items: readonly Item[]): readonly Item[] {
    const used = items.map((item) => ({ item, users: this.#users(type, item) }));
    const own = used.filter(({ users }) => users.some((id) => this.servers.has(id)));
    return (own.length > 0 ? own : used.filter(({ users }) => users.length === 0)).map(({ item }) => item);
  }

  /** Ids of the servers, or other devices, that use an item. */
  #users(type: string, item: Item): readonly string[] {
    const id = String(item["id"]);
    const ofServers = this.ports.filter(({ device_owner: owner }) => owner.startsWith("compute:"));
    const devices = (ports: readonly Port[]): readonly string[] =>
      ports.map(({ device_id: device }) => device);
    switch (type) {
      case "openstack:networking/port:Port":
        return [(item as Port).device_id].filter(Boolean);
      case "openstack:networking/network:Network":
        return devices(ofServers.filter(({ network_id: network }) => network === id));
      case "openstack:networking/subnet:Subnet":
        return devices(
          ofServers.filter(({ fixed_ips: ips = [] }) => ips.some((one) => one.subnet_id === id)),
        );
      case "openstack:networking/router:Router": {
        const inside = this.ports.filter(
          ({ device_id: device, device_owner: owner }) => device === id && owner !== "network:router_gateway",
        );
        const networks = inside.map(({ network_id: network }) => network);
        return devices(ofServers.filter(({ network_id: network }) => networks.includes(network)));
      }
      case "openstack:networking/secGroup:SecGroup":
        return devices(ofServers.filter(({ security_groups: groups = [] }) => groups.includes(id)));
      case "openstack:blockstorage/volume:Volume":
        return ((item["attachments"] ?? []) as readonly { readonly server_id: string }[]).map(
          ({ server_id: server }) => server,
        );
      case "openstack:compute/serverGroup:ServerGroup":
        return (item["members"] ?? []) as readonly string[];
      default:
        // found by the id of what it belongs to, or by its owner
        return [];
    }
  }
}

/** Returns true for a name that was generated like another one. */
function hasPrefix(name: unknown, generated: string): boolean {
  return (
    typeof name === "string" &&
    SUFFIX.test(name) &&
    name.replace(SUFFIX, "") === generated.replace(SUFFIX, "")
  );
}
