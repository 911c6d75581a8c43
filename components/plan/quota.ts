import type { PlannedFlavor } from "./servers/model";

/** Resources with a limit by project, by the names of the messages. Gigabytes are those of volumes. */
export type QuotaResource =
  | "servers"
  | "cores"
  | "RAM (MiB)"
  | "server groups"
  | "volumes"
  | "gigabytes"
  | "networks"
  | "subnets"
  | "routers"
  | "ports"
  | "floating IPs"
  | "security groups"
  | "security group rules"
  | "load balancers";

/** Amounts by resource; an absent one is zero. */
export type Amounts = Readonly<Partial<Record<QuotaResource, number>>>;

/** Servers of one flavor. */
export interface ServersOfFlavor {
  readonly flavor: PlannedFlavor;
  readonly count: number;
}

/** The quota that something takes. The amounts of cores and RAM follow from the cloud's flavors. */
export interface Demand {
  readonly servers: readonly ServersOfFlavor[];
  /** Amounts without those that follow from flavors. */
  readonly amounts: Amounts;
}

/** The quota of an instance with servers, its own or those of Cluster API. */
export interface InstanceDemand {
  /** The quota of the instance as a whole. */
  readonly shared: Demand;
  readonly groups: readonly GroupDemand[];
}

/** The quota of servers with equal settings. */
export interface GroupDemand {
  /** Regular expression for their names. It may match those of a group whose name starts with the name of this one. */
  readonly names: string;
  /** The instance in their metadata. @default any, as machines of Cluster API have none */
  readonly owner?: string;
  readonly count: number;
  readonly flavor: PlannedFlavor;
  /** The quota of one server in addition to the server itself. */
  readonly parts: Amounts;
  /** Beginnings of names of the ports that a run creates before the server. @default none */
  readonly ports?: readonly string[];
}

/** A flavor of the cloud. */
export interface FlavorSize {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  /** Memory in MiB. */
  readonly ram: number;
}

export interface InstanceAmounts {
  readonly instance: string;
  readonly amounts: Amounts;
}

/** The quota of one resource. */
export interface Quota {
  readonly used: number;
  /** Negative: no limit. */
  readonly limit: number;
}

/** The known quotas by resource. */
export type Quotas = Readonly<Partial<Record<QuotaResource, Quota>>>;

export const NO_DEMAND: Demand = { servers: [], amounts: {} };

/** Rules in a new security group: two, Neutron's or vnfm's, which allow all egress of IPv4 and IPv6. */
export const RULES_OF_NEW_GROUP = 2;

export function sumOf(demands: readonly Demand[]): Demand {
  return {
    servers: demands.flatMap(({ servers }) => servers),
    amounts: addedUp(demands.map(({ amounts }) => amounts)),
  };
}

export function multiplied(factor: number, amounts: Amounts): Amounts {
  return Object.fromEntries(entriesOf(amounts).map(([resource, amount]) => [resource, amount * factor]));
}

/** The quota that volumes of these sizes take. */
export function volumeAmounts(volumes: readonly { readonly sizeGiB: number }[]): Amounts {
  return { volumes: volumes.length, gigabytes: volumes.reduce((sum, { sizeGiB }) => sum + sizeGiB, 0) };
}

/**
 * The amounts of a demand, with the servers, cores and RAM of its flavors.
 * A flavor is known by its id or its name; an unknown one counts as a server without cores and RAM, as another check
 * reports it.
 */
export function amountsOf({ servers, amounts }: Demand, known: readonly FlavorSize[]): Amounts {
  const ofServers = servers.map(({ flavor, count }) => {
    const { vcpus: cores = 0, ram = 0 } = sizeOf(flavor, known) ?? {};
    return multiplied(count, { servers: 1, cores, "RAM (MiB)": ram });
  });
  return addedUp([...ofServers, amounts]);
}

function sizeOf(
  planned: PlannedFlavor,
  known: readonly FlavorSize[],
): Pick<FlavorSize, "vcpus" | "ram"> | undefined {
  switch (planned.kind) {
    case "name":
      return known.find(({ id, name }) => name === planned.name || id === planned.name);
    case "size":
      return { vcpus: planned.vcpus, ram: planned.ramMiB };
  }
}

export function addedUp(all: readonly Amounts[]): Amounts {
  const sum: Partial<Record<QuotaResource, number>> = {};
  for (const amounts of all)
    for (const [resource, amount] of entriesOf(amounts)) sum[resource] = (sum[resource] ?? 0) + amount;
  return sum;
}

/**
 * The lacking quota, as a table for the operator.
 * @param byInstance new amounts of each instance
 * @param cloud name of the cloud in clouds.yaml. @default the cloud of the stack
 * @returns undefined if the quota suffices, or is not known
 */
export function quotaShortage(
  byInstance: readonly InstanceAmounts[],
  quotas: Quotas,
  cloud?: string,
): string | undefined {
  const total = addedUp(byInstance.map(({ amounts }) => amounts));
  const rows = entriesOf(total).flatMap(([resource, amount]) => {
    const quota = quotas[resource];
    if (amount === 0 || quota === undefined || quota.limit < 0) return [];
    if (quota.used + amount <= quota.limit) return [];
    const by = byInstance.flatMap(({ instance, amounts }) => {
      const needed = amounts[resource] ?? 0;
      return needed === 0 ? [] : [`${instance} (${needed})`];
    });
    return [[resource, `${amount}`, `${quota.used}`, `${quota.limit}`, by.join(", ")]];
  });
  if (rows.length === 0) return undefined;
  const table = aligned([["resource", "wanted", "used", "limit", "required by"], ...rows]);
  return [
    `the project's quota${cloud === undefined ? "" : ` in the cloud ${cloud}`} does not suffice for what would be created:`,
    ...table.map((row) => `  ${row}`),
    "nothing was created: request a higher quota, or reduce the instances",
  ].join("\n");
}

/** Aligns a table: texts to the left; numbers, in the columns between the first and the last, to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, i) => {
        if (i === row.length - 1) return text;
        return i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0);
      })
      .join("  "),
  );
}

function entriesOf(amounts: Amounts): [QuotaResource, number][] {
  return Object.entries(amounts) as [QuotaResource, number][];
}
