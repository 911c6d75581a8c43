import { Fault } from "../base/fault";
import { thingsOf, type CloudAnswer } from "../openstack/answers";
import type { Service } from "../openstack/session";
import { newDemand, NOTHING, type Present } from "../plan/demand";
import type { InstancePlan } from "../plan/model";
import {
  amountsOf,
  quotaShortage,
  sumOf,
  type Demand,
  type Quota,
  type QuotaResource,
  type Quotas,
} from "../plan/quota";
import { optional, type Cloud, type Connect } from "./cloud";
import { serversLike } from "./project-servers";
import { flavorsIn } from "./resources";

/**
 * Checks that the quota of the project suffices for the new resources of the stack, before anything is created.
 * Otherwise the run would fail in the middle. Quotas that the cloud does not report are not checked.
 * @param isThere returns true for an instance in the outputs of the last run
 * @param connect connects to the cloud, which is needed only for new resources
 * @throws Fault with a table of all insufficient quotas
 */
export async function checkQuota(
  plans: readonly InstancePlan[],
  isThere: (instance: string) => boolean,
  connect: Connect,
): Promise<void> {
  const shortage = await optional("quotas are", () => shortageIn(connect, plans, isThere));
  if (shortage !== undefined) throw new Fault(shortage);
}

/** The lacking quota of a cloud, as a table. All requests are sent at once, and none without a demand. */
export async function shortageIn(
  connect: Connect,
  plans: readonly InstancePlan[],
  isThere: (instance: string) => boolean,
): Promise<string | undefined> {
  const demanding = plans
    .map((plan) => ({ plan, most: newDemand(plan, NOTHING, isThere) }))
    .filter(({ most }) => hasDemand(most));
  if (demanding.length === 0) return undefined;
  const cloud = await connect();
  const atMost = sumOf(demanding.map(({ most }) => most));
  const [present, flavors, ...quotas] = await Promise.all([
    Promise.all(demanding.map(async ({ plan }) => [plan, await presentOf(plan, cloud)] as const)),
    optional("flavors are", () => flavorsIn(cloud)),
    ...SOURCES.filter(({ isNeeded }) => isNeeded(atMost)).map(({ what, read }) =>
      optional(what, () => read(cloud)),
    ),
  ]);
  const demands = present.map(([plan, existing]) => ({
    instance: plan.name,
    amounts: amountsOf(newDemand(plan, existing, isThere), flavors ?? []),
  }));
  return quotaShortage(demands, Object.assign({}, ...quotas) as Quotas, demanding[0]?.plan.cloud);
}

function hasDemand({ servers, amounts }: Demand): boolean {
  return servers.some(({ count }) => count > 0) || Object.values(amounts).some((amount) => amount > 0);
}

/**
 * The existing resources that may be those of an instance.
 * @throws Fault if the cloud does not answer: without the answer existing resources would be counted twice
 */
async function presentOf({ name: instance }: InstancePlan, cloud: Cloud): Promise<Present> {
  const named = async (collection: string): Promise<readonly string[]> => {
    const path = `/v2.0/${collection}?project_id=${cloud.projectId}&fields=name`;
    const answer = await get<CloudAnswer>(cloud, "network", path);
    const things = thingsOf<{ readonly name?: string }>(answer, collection.replaceAll("-", "_"));
    return things.flatMap(({ name }) => name ?? []);
  };
  const [servers, ports, securityGroups] = await Promise.all([
    serversLike(instance, cloud),
    named("ports"),
    named("security-groups"),
  ]);
  return { servers, ports, securityGroups };
}

interface Source {
  /** Name of the quotas with a verb, as for `optional`. */
  readonly what: string;
  readonly isNeeded: (demand: Demand) => boolean;
  readonly read: (cloud: Cloud) => Promise<Quotas>;
}

const SOURCES: readonly Source[] = [
  { what: "limits of Nova are", isNeeded: () => true, read: novaQuotas },
  { what: "quotas of Neutron are", isNeeded: () => true, read: neutronQuotas },
  {
    what: "limits of Cinder are",
    isNeeded: ({ amounts: { volumes = 0 } }) => volumes > 0,
    read: cinderQuotas,
  },
  {
    what: "quotas of Octavia are",
    isNeeded: ({ amounts: { "load balancers": balancers = 0 } }) => balancers > 0,
    read: octaviaQuotas,
  },
];

interface Limits {
  readonly limits?: { readonly absolute?: Readonly<Record<string, number>> };
}

/** Reads Nova's quotas: https://docs.openstack.org/api-ref/compute/#limits-limits */
async function novaQuotas(cloud: Cloud): Promise<Quotas> {
  const { absolute = {} } = (await get<Limits>(cloud, "compute", "/limits")).limits ?? {};
  return {
    ...quota("servers", absolute["maxTotalInstances"], absolute["totalInstancesUsed"]),
    ...quota("cores", absolute["maxTotalCores"], absolute["totalCoresUsed"]),
    ...quota("RAM (MiB)", absolute["maxTotalRAMSize"], absolute["totalRAMUsed"]),
    ...quota("server groups", absolute["maxServerGroups"], absolute["totalServerGroupsUsed"]),
  };
}

/** Reads Cinder's quotas: https://docs.openstack.org/api-ref/block-storage/v3/#limits-limits */
async function cinderQuotas(cloud: Cloud): Promise<Quotas> {
  const { absolute = {} } = (await get<Limits>(cloud, "block-storage", "/limits")).limits ?? {};
  return {
    ...quota("volumes", absolute["maxTotalVolumes"], absolute["totalVolumesUsed"]),
    ...quota("gigabytes", absolute["maxTotalVolumeGigabytes"], absolute["totalGigabytesUsed"]),
  };
}

interface NeutronQuota extends Partial<Quota> {
  /** Amount that requests in progress have reserved. */
  readonly reserved?: number;
}

/** Reads Neutron's quotas: https://docs.openstack.org/api-ref/network/v2/#show-quota-details-for-a-tenant */
async function neutronQuotas(cloud: Cloud): Promise<Quotas> {
  const path = `/v2.0/quotas/${cloud.projectId}/details`;
  const answer = await get<{ quota?: Readonly<Record<string, NeutronQuota>> }>(cloud, "network", path);
  const { quota: answered = {} } = answer;
  const named: [QuotaResource, NeutronQuota | undefined][] = [
    ["networks", answered["network"]],
    ["subnets", answered["subnet"]],
    ["routers", answered["router"]],
    ["ports", answered["port"]],
    ["floating IPs", answered["floatingip"]],
    ["security groups", answered["security_group"]],
    ["security group rules", answered["security_group_rule"]],
  ];
  return Object.assign(
    {},
    ...named.map(([resource, { limit, used, reserved = 0 } = {}]) =>
      quota(resource, limit, used === undefined ? undefined : used + reserved),
    ),
  ) as Quotas;
}

/**
 * Reads the quota of Octavia, which reports the limit only.
 * https://docs.openstack.org/api-ref/load-balancer/v2/#show-project-quota
 */
async function octaviaQuotas(cloud: Cloud): Promise<Quotas> {
  const project = cloud.projectId;
  const [limits, balancers] = await Promise.all([
    get<{ quota?: { loadbalancer?: number } }>(cloud, "load-balancer", `/v2/lbaas/quotas/${project}`),
    get<CloudAnswer>(cloud, "load-balancer", `/v2/lbaas/loadbalancers?project_id=${project}&fields=id`),
  ]);
  return quota("load balancers", limits.quota?.loadbalancer, thingsOf(balancers, "loadbalancers").length);
}

/** The quota of a resource; none if the cloud does not report the limit or the used amount. */
function quota(resource: QuotaResource, limit: number | undefined, used: number | undefined): Quotas {
  return limit === undefined || used === undefined ? {} : { [resource]: { limit, used } };
}

/** @throws Fault if the cloud does not answer */
async function get<T>(cloud: Cloud, service: Service, path: string): Promise<T> {
  const body = await cloud.get<T>(service, path);
  if (body === undefined) throw new Fault(`${service} has no ${path.split("?")[0]}`);
  return body;
}
