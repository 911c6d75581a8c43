import type { Findings } from "../base/findings";
import type { Attribute } from "../kube/objects/attributes";
import { findCycle, type Graph } from "../kube/order/graph";
import { isReachedFromOutside } from "../kube/objects/kinds";
import { fields, isFields, items, type KubeObject } from "../kube/objects/object";
import { didYouMean, oneOf } from "../base/nearest";
import { own } from "../base/own";
import { clusterOf, isWorkload, workloads, type InstancePlan, type WorkloadPlan } from "./model";
import { ownVolumes, type PlannedServer, type PlannedVirtualIp } from "./servers/model";
import { madeBy } from "./workload/cnf";

/** Stands for an output that is known only during the run: a value, or a list of unknown length. */
export const LATE = Symbol("known only in the run");

/** The graph of the instances: each with those whose outputs its settings read. */
export function attributeGraph(plans: readonly InstancePlan[]): Graph {
  return new Map(
    plans.map((plan) => [plan.name, new Set(attributesOf(plan).map(({ instance }) => instance))]),
  );
}

function attributesOf(plan: InstancePlan): readonly Attribute[] {
  return isWorkload(plan) ? (plan.cnf.attributes ?? []) : [];
}

/**
 * Records attributes that name an unknown instance or a missing output, and instances that wait for each other.
 * @param names of all instances, also those that could not be planned
 * @param graph the instances that come before each
 */
export function checkAttributes(
  plans: readonly InstancePlan[],
  names: readonly string[],
  graph: Graph,
  faults: Findings,
): void {
  const planned = new Map(plans.map((plan) => [plan.name, plan]));
  const known = [...new Set([...names, ...planned.keys()])];
  for (const { attributes = [] } of workloads(plans).map(({ cnf }) => cnf))
    for (const attribute of attributes) {
      const { instance, setting } = attribute;
      const place = faults.at(...setting);
      const plan = planned.get(instance);
      if (plan !== undefined) {
        const problem = problemOf(attribute, expectedOutputs(plan));
        if (problem !== undefined) place.fault(problem);
      } else if (!known.includes(instance))
        // an instance without a plan has an error already
        place.fault(
          `this stack has no instance "${instance}"; ${oneOf(known)}${didYouMean(instance, known)}`,
        );
    }
  const circle = findCycle(graph) ?? [];
  const circularAttributes = circle.flatMap((name, i) =>
    workloads(plans)
      .filter((plan) => plan.name === name)
      .flatMap(({ cnf }) => cnf.attributes?.find(({ instance }) => instance === circle[i + 1]) ?? []),
  );
  const [first] = circularAttributes;
  if (first !== undefined)
    faults
      .at(...first.setting)
      .fault(
        `the instances wait for each other in a circle: ${circle.join(" -> ")}; write one of the values itself`,
      );
}

/** The reason why outputs have no such value; undefined while they are not known. */
function problemOf({ instance, path }: Attribute, outputs: unknown): string | undefined {
  let value = outputs;
  for (const [i, key] of path.entries()) {
    if (value === LATE) return undefined;
    const found = entryOf(value, key);
    if (found === undefined) return noEntry(instance, path.slice(0, i), key, value);
    value = found;
  }
  return value === LATE ? undefined : notOne(instance, path, value);
}

/**
 * The value under a key of a map, or the entry of a list at an index or with that name.
 * @returns undefined if there is no such entry, or several with that name
 */
export function entryOf(value: unknown, key: string | number): unknown {
  if (!Array.isArray(value)) return own(fields(value), String(key));
  if (typeof key === "number") return value[key] as unknown;
  const named = value.filter((entry) => nameOf(entry) === key);
  return named.length === 1 ? (named[0] as unknown) : undefined;
}

function nameOf(entry: unknown): unknown {
  return fields(entry)["name"];
}

/** The error about a missing key. @param value of the outputs at the path */
export function noEntry(
  instance: string,
  path: Attribute["path"],
  key: string | number,
  value: unknown,
): string {
  const known = keysOf(value);
  return `${outputsAt(instance, path)} have no ${JSON.stringify(key)}; ${oneOf(known)}${didYouMean(String(key), known)}`;
}

/** The error about a path that leads to a map or a list; undefined if it leads to one value. */
export function notOne(instance: string, path: Attribute["path"], value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return `${outputsAt(instance, path)} are several values; continue the path with ${oneOf(keysOf(value))}`;
}

function outputsAt(instance: string, path: Attribute["path"]): string {
  return ["the outputs of", instance, ...(path.length === 0 ? [] : [`at ${path.join(", ")}`])].join(" ");
}

function keysOf(value: unknown): string[] {
  if (!Array.isArray(value)) return isFields(value) ? Object.keys(value) : [];
  const names = value.map(nameOf);
  return value.map((_, i) => {
    const name = names[i];
    return typeof name === "string" && names.indexOf(name) === names.lastIndexOf(name) ? name : String(i);
  });
}

/** The expected outputs of an instance, with LATE for values that are known only during the run. */
export function expectedOutputs(plan: InstancePlan): Readonly<Record<string, unknown>> {
  if (isWorkload(plan)) return ofWorkload(plan);
  const cluster = clusterOf(plan);
  return {
    vnfState: LATE,
    ...(plan.cloud !== undefined && { cloud: plan.cloud }),
    vnfcs: Object.fromEntries(plan.servers.map((server) => [server.key, ofServer(server)])),
    ...(plan.virtualIps.length > 0 && {
      virtualIps: Object.fromEntries(plan.virtualIps.map((one) => [one.connectionPoint, ofVirtualIp(one)])),
    }),
    ...(cluster && {
      ...{ apiUrl: LATE, vimName: LATE },
      certificates: { expiresAt: LATE, caExpiresAt: LATE },
    }),
    ...(cluster?.storage && { persistentVolumes: LATE }),
  };
}

function ofVirtualIp({ floatingNetwork }: PlannedVirtualIp): Readonly<Record<string, unknown>> {
  return { address: LATE, ...(floatingNetwork !== undefined && { floatingIp: LATE }) };
}

function ofServer(server: PlannedServer): Readonly<Record<string, unknown>> {
  const { ports } = server;
  const floating = ports.filter(({ floatingNetwork }) => floatingNetwork !== undefined);
  const kept = ownVolumes(server);
  const late = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, LATE]));
  return {
    serverId: LATE,
    addresses: late(ports.map(({ connectionPoint }) => connectionPoint)),
    ...(floating.length > 0 && { floatingIps: late(floating.map(({ connectionPoint }) => connectionPoint)) }),
    ...(kept.length > 0 && { volumes: late(kept.map(({ storage }) => storage)) }),
  };
}

function ofWorkload({ cnf, cluster, cloud }: WorkloadPlan): Readonly<Record<string, unknown>> {
  const secret = new Set(cnf.objects.filter((one) => one.secret).map(({ object }) => object));
  const services = madeBy(cnf)
    .map(({ object }) => object)
    .filter((object) => isReachedFromOutside(object) && !secret.has(object));
  const isUnread = cnf.releases.some(({ chartPath }) => chartPath === "");
  return {
    vnfState: LATE,
    ...(cloud !== undefined && { cloud }),
    vnfcs: cnf.vnfcs,
    ...(cluster && {
      ...{ apiUrl: LATE, vimName: LATE },
      certificates: { expiresAt: LATE, caExpiresAt: LATE },
    }),
    ...(cluster?.kubernetesVersion !== undefined && { kubernetesVersion: LATE }),
    ...(cluster && cluster.podCidrs.length > 0 && { podCidrs: cluster.podCidrs }),
    ...(cluster && cluster.serviceCidrs.length > 0 && { serviceCidrs: cluster.serviceCidrs }),
    endpoints: isUnread ? LATE : services.map(endpointOf),
  };
}

function endpointOf({ metadata, spec }: KubeObject): Readonly<Record<string, unknown>> {
  const ports = items(fields(spec)["ports"]).map(() => ({ port: LATE, nodePort: LATE, protocol: LATE }));
  return { name: metadata.name, namespace: LATE, type: LATE, ports, ingress: LATE };
}
